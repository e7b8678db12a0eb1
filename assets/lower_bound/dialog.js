/* The dialog that shows what proves a bound, as a picture that grows step by step: 1-trees, or zones and moats. */
import { replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { frames } from "../common/frames.js";
import { cities } from "../common/map/cities.js";
import { makePainter } from "../common/map/painter.js";
import { makeSheet } from "../common/sheet.js";
import { moats } from "./moats.js";
import { oneTree } from "./one_tree.js";
import { text } from "./texts.js";

/**
 * The best tour, and the length with which the bound is compared.
 * @typedef {object} Beside
 * @property {number | null} length reference length with which the bound is compared
 * @property {string} known kind of the reference length
 * @property {{length: number, order: Order | null} | null} best tour of the run
 */
/** @typedef {{lines: () => PaintedLine[], says: string}} Step */
/**
 * A kind of picture.
 * @typedef {object} View
 * @property {string} name
 * @property {string} map description of its canvas
 * @property {string} about
 * @property {Record<string, string>} legend texts by the CSS class of their key
 * @property {number} beat milliseconds of each step during playback
 * @property {(frame: Frame, map: TourMap, beside: Beside) => {map: TourMap, steps: Step[]}} read reads the steps, and
 * the map with room for them
 */

/** @type {Record<string, View>} */
const VIEWS = { ascent: oneTree, moats }; // views by the names of their routes

/** @type {Step[]} */
let steps = [];
let chosen = "ascent";
let timer = 0;
/** @type {() => Promise<void>} */
let show = async () => {}; // shows the chosen picture of the run for which the dialog was opened

const canvas = element("canvas.lower-bound-map", { role: "img" });
const slider = element("input.slider", { id: "lower-bound-step", type: "range", min: 1, max: 1, value: 1 });
const play = button({ class: "button", id: "lower-bound-play" }, text("play"));
const at = element("output", { for: "lower-bound-step" });
const says = element("p", { id: "lower-bound-sentence", "aria-live": "polite" });
const legend = element("div.legend");
const about = element("p.note");
const choices = Object.entries(VIEWS).map(([name, view]) => {
  const id = `lower-bound-${name}`;
  const radio = element("input.form-check-input", { type: "radio", name: "lower-bound-view", value: name, id });
  const label = element("label.form-check-label", { for: id }, view.name);
  return { name, radio, part: element("div.form-check", radio, label) };
});
const choice = element(
  "div.segments",
  { role: "radiogroup", "aria-labelledby": "lower-bound-title" },
  ...choices.map(({ part }) => part),
);
const controls = element(
  "div.lower-bound-steps",
  play,
  element("label", { for: "lower-bound-step" }, text("slider")),
  slider,
  at,
);
const content = [choice, canvas, legend, controls, says, about];
const sheet = makeSheet("lower-bound", "tall lower-bound", text("title"), content);

/** @type {ReturnType<typeof makePainter> | null} */
let painter = null;

function draw() {
  const step = steps[Number(slider.value) - 1];
  if (!step) return;
  painter?.draw(step.lines());
  replaceText(says, step.says);
  replaceText(at, text("at", { at: Number(slider.value), steps: steps.length }));
}

function stop() {
  window.clearInterval(timer);
  timer = 0;
  replaceText(/** @type {HTMLElement} */ (play.lastElementChild), text("play"));
}

function next() {
  if (Number(slider.value) >= steps.length) return stop();
  slider.value = String(Number(slider.value) + 1);
  draw();
  if (Number(slider.value) >= steps.length) stop();
}

function toggle() {
  if (timer) return stop();
  if (Number(slider.value) >= steps.length) slider.value = "1";
  draw();
  timer = window.setInterval(next, VIEWS[chosen].beat);
  replaceText(/** @type {HTMLElement} */ (play.lastElementChild), text("pause"));
}

/**
 * Show the chosen picture.
 * @param {string} run address of the run
 * @param {TourMap} map
 * @param {Beside} beside
 */
async function showPicture(run, map, beside) {
  stop();
  const [name, view] = [chosen, VIEWS[chosen]];
  steps = [];
  painter?.draw([]);
  replaceText(says, text("computing"));
  const answer = await fetch(`${run}/${name}`).catch(() => null);
  const reply = answer && !answer.ok ? await answer.json().catch(() => null) : null;
  const bytes = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null;
  if (name !== chosen) return;
  const picture = bytes ? view.read(frames.decode(bytes), map, beside) : { map, steps: [] };
  steps = picture.steps;
  const none = !steps.length;
  canvas.hidden = legend.hidden = controls.hidden = about.hidden = none;
  if (none) replaceText(says, reply?.sentence || text("silent"));
  replaceText(about, view.about);
  canvas.setAttribute("aria-label", view.map);
  const keys = Object.entries(view.legend);
  legend.replaceChildren(
    ...keys.map(([key, words]) => element("span", element("i", { class: `picture-key ${key}` }), words)),
  );
  slider.max = String(Math.max(1, steps.length));
  slider.value = slider.max; // the last step proves the bound
  sheet.open();
  painter ||= makePainter(canvas, cities.cityStyle);
  painter.show(picture.map);
  draw();
}

/**
 * Open the dialog for the bound of a map's instance, with the picture that was chosen last.
 * @param {string} run address of the run
 * @param {TourMap} map
 * @param {Beside} beside
 */
export async function open(run, map, beside) {
  show = () => showPicture(run, map, beside);
  for (const { name, radio } of choices) radio.checked = name === chosen;
  await show();
  (steps.length ? slider : sheet.close).focus();
}

for (const { name, radio } of choices) {
  radio.addEventListener("change", () => {
    chosen = name;
    show();
  });
}
slider.addEventListener("input", () => {
  stop();
  draw();
});
play.addEventListener("click", toggle);
sheet.dialog.addEventListener("close", stop);
