/* Elements of the page, and a throttle for expensive work. */
import { root } from "./host/root.js";

const RESTS = 4; // the time from one start of the work to the next, in multiples of its duration
/** @type {Omit<Units, "title">} */
const UNITS = { iteration: "climber", evaluation: "move", step: "move", first: 1, views: ["tour"] }; // the defaults

/**
 * Find an element by id; null if there is none. The layout determines its type.
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => root().getElementById(id);

/**
 * Return the nearest ancestor of an event's target that matches a selector, including the target itself.
 * @template {Element} [Found=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {Found | null}
 */
export const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Call `work` on clicks inside an element that matches a selector.
 * @param {string} selector
 * @param {(found: any, event: MouseEvent) => void} work called with the matching element
 */
export const clicked = (selector, work) =>
  document.addEventListener("click", (event) => {
    const target = closest(event, selector);
    if (target) work(target, event);
  });

/**
 * Set the text of an element, if it exists and its text differs.
 * @param {Element | null} element
 * @param {string} text
 */
export function replaceText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * As `replaceText`, for the element with this id.
 * @param {string} id
 * @param {string} text
 */
export const setText = (id, text) => replaceText(byId(id), text);

/**
 * Limit the rate of `work`: call it at once if possible, else once both `milliseconds` and three times its last
 * duration have passed, so that it takes at most a quarter of the page's time.
 * @param {() => void} work
 * @param {number} milliseconds
 */
export function throttle(work, milliseconds) {
  let due = -Infinity;
  let timer = 0;
  const runWork = () => {
    timer = 0;
    const start = performance.now();
    work();
    due = start + Math.max(milliseconds, RESTS * (performance.now() - start));
  };
  return () => {
    if (timer) return;
    const left = due - performance.now();
    if (left <= 0) runWork();
    else timer = window.setTimeout(runWork, left);
  };
}

/** @type {Set<() => boolean>} */
const awaited = new Set(); // checks of pending calls to `when`
/** @type {MutationObserver | undefined} */
let changes; // observer of the page's elements, while calls are pending

/**
 * Call `onFound` with the first truthy value of `look`. It is checked ever less often, and whenever elements are added
 * or removed, since timers wait while Dash builds a page.
 * @template Value
 * @param {() => Value} look
 * @param {(value: NonNullable<Value>) => void} onFound
 * @param {number} [pause] milliseconds
 */
export function when(look, onFound, pause = 15) {
  let timer = 0;
  function check() {
    const value = look();
    if (!value) return false;
    window.clearTimeout(timer);
    if (awaited.delete(check) && !awaited.size) changes?.disconnect();
    onFound(value);
    return true;
  }
  /** @param {number} next */
  function wait(next) {
    timer = window.setTimeout(() => check() || wait(Math.min(250, 1.05 * next)), next);
  }
  if (check()) return;
  changes ||= new MutationObserver(() => {
    for (const retry of [...awaited]) retry();
  });
  if (!awaited.size) changes.observe(document, { childList: true, subtree: true });
  awaited.add(check);
  wait(pause);
}

/** @type {string | null} */
let drawnIn = null; // theme of the picture being drawn; otherwise the page's theme

/**
 * Run `make` with the colours of a theme that may differ from the page's.
 * @template Made
 * @param {string} theme
 * @param {() => Made} make
 */
export function inTheme(theme, make) {
  drawnIn = theme;
  try {
    return make();
  } finally {
    drawnIn = null;
  }
}

/**
 * Return the element that sets the theme and its colours.
 * @returns {HTMLElement}
 */
export function findThemedElement() {
  const part = /** @type {any} */ (root());
  return part.host || part.documentElement;
}

/**
 * Return a colour of the style sheet in the current theme: `colour("tour")` is the value of --tour.
 * @param {string} name
 */
export function colour(name) {
  const root = findThemedElement();
  const value = getComputedStyle(root).getPropertyValue(`--${name}`); // a colour for each theme, or one colour for both
  const [light, dark = light] = value.match(/#\w+/g) || [""];
  return (drawnIn || root.dataset.bsTheme) === "dark" ? dark : light;
}

/** Return the names of the algorithms' colours in the style sheet, for `colour`. */
function algorithmColours() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const names = rules.flatMap((rule) => (rule instanceof CSSStyleRule ? [...rule.style] : []));
  return names.filter((name) => name.startsWith("--algorithm-")).map((name) => name.slice(2));
}

/**
 * Map the colours of algorithms and their bands in one theme to those in another.
 * @param {string} from
 * @param {string} to
 */
export function coloursIn(from, to) {
  /** @type {Map<string, string>} */
  const others = new Map();
  for (const name of algorithmColours()) {
    const [one, other] = [from, to].map((theme) => inTheme(theme, () => colour(name)));
    others.set(one, other).set(makeTranslucent(one), makeTranslucent(other));
  }
  return others;
}

/**
 * Return the colour of a band, as `translucent` of `components/figures/studies.py` does.
 * @param {string} hue #rrggbb
 */
const makeTranslucent = (hue) => `rgba(${[1, 3, 5].map((at) => parseInt(hue.slice(at, at + 2), 16)).join(", ")}, 0.16)`;

/** Return the base path of the server's routes, with a trailing slash; set in the document before there is a layout. */
export const basePath = () => document.documentElement.dataset.basePath || "/";

/** @type {{ json: string, all: Record<string, Units> }} */
let unitsRead = { json: "", all: {} };

/**
 * Return the units and views of an algorithm; see `units` of `components/shell/facts.py`.
 * @param {string} algorithm
 * @returns {Units}
 */
export function findUnits(algorithm) {
  const json = byId("page")?.dataset.units || "{}"; // read for each picture, but parsed only once
  if (json !== unitsRead.json) unitsRead = { json, all: JSON.parse(json) };
  return unitsRead.all[algorithm] || { title: algorithm, ...UNITS };
}
