/* Elements of the page, and a throttle for expensive work. */
import { room } from "./host/room.js";

const RESTS = 4; // as long as the work took, from its beginning
/** @type {Omit<Units, "title">} */
const UNITS = { iteration: "climber", evaluation: "move", step: "move", first: 1, views: ["tour"] }; // by default

/**
 * An element by its id, null where there is none: of the kind that the layout of the page says.
 * @param {string} id
 * @returns {any}
 */
const byId = (id) => room().getElementById(id);

/**
 * The nearest element around the target of an event that a selector finds, the target itself included.
 * @template {Element} [Found=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {Found | null}
 */
const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Set the text of an element, if there is such an element and the text is another.
 * @param {Element | null} element
 * @param {string} text
 */
function replaceText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * As `replaceText`, of the element with that id.
 * @param {string} id
 * @param {string} text
 */
const setText = (id, text) => replaceText(byId(id), text);

/**
 * A function that calls `work` at once if it may, else once when `milliseconds` have passed since the last time, or
 * three times as long as `work` took then: nothing takes more than a quarter of the page's time.
 * @param {() => void} work
 * @param {number} milliseconds
 */
function throttle(work, milliseconds) {
  let due = -Infinity;
  let timer = 0;
  const go = () => {
    timer = 0;
    const began = performance.now();
    work();
    due = began + Math.max(milliseconds, RESTS * (performance.now() - began));
  };
  return () => {
    if (timer) return;
    const left = due - performance.now();
    if (left <= 0) go();
    else timer = window.setTimeout(go, left);
  };
}

/** @type {Set<() => boolean>} */
const awaited = new Set(); // asks for what `when` waits for
/** @type {MutationObserver | undefined} */
let changes; // of the page's elements, while something is awaited

/**
 * Call `found` with the first truthy value of `look`, which is asked again until then: ever less often, and whenever
 * elements come or go, since timers wait while Dash makes a page.
 * @template Value
 * @param {() => Value} look
 * @param {(value: NonNullable<Value>) => void} found
 * @param {number} [pause] milliseconds
 */
function when(look, found, pause = 15) {
  let timer = 0;
  function ask() {
    const value = look();
    if (!value) return false;
    window.clearTimeout(timer);
    if (awaited.delete(ask) && !awaited.size) changes?.disconnect();
    found(value);
    return true;
  }
  /** @param {number} next */
  function wait(next) {
    timer = window.setTimeout(() => ask() || wait(Math.min(250, 1.05 * next)), next);
  }
  if (ask()) return;
  changes ||= new MutationObserver(() => {
    for (const each of [...awaited]) each();
  });
  if (!awaited.size) changes.observe(document, { childList: true, subtree: true });
  awaited.add(ask);
  wait(pause);
}

/** @type {string | null} */
let drawnIn = null; // the theme of a picture being drawn; else that of the page

/**
 * The result of `make`, with the colours of a theme that need not be the page's.
 * @template Made
 * @param {string} theme
 * @param {() => Made} make
 */
function inTheme(theme, make) {
  drawnIn = theme;
  try {
    return make();
  } finally {
    drawnIn = null;
  }
}

/**
 * The element that has the theme and its colours.
 * @returns {HTMLElement}
 */
function themed() {
  const part = /** @type {any} */ (room());
  return part.host || part.documentElement;
}

/**
 * The value of a colour of the style sheet as it is in the present theme: `colour("tour")` is that of --tour.
 * @param {string} name
 */
function colour(name) {
  const root = themed();
  const value = getComputedStyle(root).getPropertyValue(`--${name}`); // of both themes, or one for both
  const [light, dark = light] = value.match(/#\w+/g) || [""];
  return (drawnIn || root.dataset.bsTheme) === "dark" ? dark : light;
}

/** The names of the algorithms' colours in the style sheet, as `colour` takes them. */
function algorithmColours() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const names = rules.flatMap((rule) => (rule instanceof CSSStyleRule ? [...rule.style] : []));
  return names.filter((name) => name.startsWith("--algorithm-")).map((name) => name.slice(2));
}

/**
 * The colours of the algorithms and of their bands in one theme, by those in another.
 * @param {string} from
 * @param {string} to
 */
function coloursIn(from, to) {
  /** @type {Map<string, string>} */
  const others = new Map();
  for (const name of algorithmColours()) {
    const [one, other] = [from, to].map((theme) => inTheme(theme, () => colour(name)));
    others.set(one, other).set(seeThrough(one), seeThrough(other));
  }
  return others;
}

/**
 * The colour of a band, as `see_through` of `components/figures/studies.py` writes it.
 * @param {string} hue #rrggbb
 */
const seeThrough = (hue) => `rgba(${[1, 3, 5].map((at) => parseInt(hue.slice(at, at + 2), 16)).join(", ")}, 0.16)`;

/** Where the server's routes begin, with a slash at the end: the document says so before there is a layout. */
const basePath = () => document.documentElement.dataset.basePath || "/";

/** @type {{ json: string, all: Record<string, Units> }} */
let unitsRead = { json: "", all: {} };

/**
 * An algorithm's units and views; `units` of `components/shell/facts.py` describes them.
 * @param {string} algorithm
 * @returns {Units}
 */
function findUnits(algorithm) {
  const json = byId("page")?.dataset.units || "{}"; // asked for at each picture, and read once
  if (json !== unitsRead.json) unitsRead = { json, all: JSON.parse(json) };
  return unitsRead.all[algorithm] || { title: algorithm, ...UNITS };
}

export { basePath, byId, closest, colour, coloursIn, inTheme, setText, replaceText, themed, throttle, findUnits, when };
