/* Marks of a step on the page: controls to change, and elements to look at. */
import { byId } from "../common/dom.js";

const PAUSE = 400; // milliseconds to wait, since choosing an algorithm rebuilds the form
const ATTRIBUTE = "data-lesson-mark";

/**
 * Selectors for the names used in lessons: `PARTS` of `components/learn/reading.py`.
 * @type {Record<"watch" | "race", Record<string, string>>}
 */
const PARTS = {
  watch: {
    instance: "#instance",
    algorithm: "#algorithm",
    seed: "#seed",
    seconds: "#budget-seconds",
    device: "#device",
    start: "#start",
    length: "#hud-length",
    gap: "#hud-gap",
    bound: "#bound",
    tour: ".stage .canvas",
    optimal: "#show-optimal",
    views: "#view",
    player: "#player",
    tiles: ".tiles",
    axis: "#convergence-x",
    chart: ".numbers .chart",
    table: ".numbers .finished",
  },
  race: {
    instance: "#instance",
    lanes: "#item-list",
    seed: "#seed",
    seconds: "#budget-seconds",
    start: "#start",
    tours: "#race-panels",
    player: "#player",
    axes: "#race-chart-x",
    chart: "#race-chart",
    table: ".race-table",
  },
};

/** @type {{ page: "watch" | "race", names: string[] }} */
let displayed = { page: "watch", names: [] };
let timer = 0;

/** @param {string} name */
const parameter = (name) => byId(JSON.stringify({ name, type: "parameter" }));

/**
 * Return the element of a part; for a control in a field, the whole field with its label.
 * @param {string} name
 * @returns {HTMLElement | null}
 */
function findPart(name) {
  const selector = PARTS[displayed.page][name];
  /** @type {HTMLElement | null} */
  const control = selector ? document.querySelector(selector) : parameter(name);
  return control?.closest(".field") || control;
}

/** Mark visible elements, including new ones. */
function mark() {
  const wanted = displayed.names.map(findPart).filter((element) => element !== null);
  for (const element of document.querySelectorAll(`[${ATTRIBUTE}]`))
    if (!wanted.includes(/** @type {HTMLElement} */ (element))) element.removeAttribute(ATTRIBUTE);
  const revealed = wanted.filter((element) => !element.hasAttribute(ATTRIBUTE));
  for (const element of revealed) element.setAttribute(ATTRIBUTE, "");
  return revealed;
}

/**
 * Open the section in which a form control is folded, and scroll it into view if the form scrolls by itself: at first
 * for the first mark, later for marks that appear with another algorithm. The page does not scroll away from the
 * lesson.
 * @param {HTMLElement[]} revealed
 */
function reveal(revealed) {
  const [first] = revealed.filter((element) => element.closest(".settings"));
  const [fold, form] = [first?.closest("details"), first?.closest(".settings")];
  if (fold) fold.open = true;
  if (!form) return;
  const [inner, outer] = [first.getBoundingClientRect(), form.getBoundingClientRect()];
  form.scrollTop += inner.top - outer.top - (form.clientHeight - inner.height) / 2;
}

/**
 * Mark these parts, and no others.
 * @param {"watch" | "race"} page
 * @param {string[]} names
 */
function show(page, names) {
  displayed = { page, names };
  window.clearInterval(timer);
  for (const element of document.querySelectorAll(`[${ATTRIBUTE}]`)) element.removeAttribute(ATTRIBUTE);
  reveal(mark());
  if (names.length) timer = window.setInterval(() => reveal(mark()), PAUSE);
}

export const marks = { show, PARTS };
