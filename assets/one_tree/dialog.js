/* The dialog of the 1-trees that prove a bound: the map, and the steps of the ascent of the prices. */
import { replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { frames } from "../common/frames.js";
import { cities } from "../common/map/cities.js";
import { makePainter } from "../common/map/painter.js";
import { highest, drawTree, sentence, decodeSteps } from "./ascent.js";
import { text } from "./texts.js";

const BEAT = 350; // milliseconds of each step during playback

/** @typedef {{length: number | null, known: string}} Compared reference for the bound */

/** @type {import("./ascent.js").OneTree[]} */
let steps = [];
/** @type {TourMap | null} */
let map = null;
/** @type {Compared} */
let compared = { length: null, known: "" };
let most = 1;
let timer = 0;

const shut = button({ class: "button quiet round", "aria-label": text("close"), title: text("close") }, "", "close");
const canvas = element("canvas", { class: "one-tree-map", role: "img", "aria-label": text("map") });
const slider = element("input", { id: "one-tree-step", type: "range", class: "slider", min: 1, max: 1, value: 1 });
const play = button({ class: "button", id: "one-tree-play" }, text("play"));
const at = element("output", { for: "one-tree-step" });
const says = element("p", { id: "one-tree-says", "aria-live": "polite" });
/** @param {string} name */
const key = (name) => element("i", { class: `tree-key ${name}` });
const legend = element(
  "div",
  { class: "legend" },
  element("span", {}, key("edge"), text("legend.edge")),
  element("span", {}, key("special"), text("legend.special")),
  element("span", {}, key("one"), text("legend.one-edge")),
  element("span", {}, key("more"), text("legend.more")),
  element("span", {}, key("dear"), text("legend.dear")),
  element("span", {}, key("cheap"), text("legend.cheap")),
);
const about = element("p", { class: "note" }, text("about"));
const controls = element(
  "div",
  { class: "one-tree-steps" },
  play,
  element("label", { for: "one-tree-step" }, text("slider")),
  slider,
  at,
);
const dialog = element(
  "dialog",
  { id: "one-tree", class: "sheet one-tree", "aria-labelledby": "one-tree-title" },
  element("div", { class: "sheet-head" }, element("h2", { id: "one-tree-title" }, text("title")), shut),
  element("div", { class: "sheet-body" }, canvas, legend, controls, says, about),
);

/** @type {ReturnType<typeof makePainter> | null} */
let painter = null;

function draw() {
  const step = steps[Number(slider.value) - 1];
  if (!step || !map) return;
  painter?.draw(drawTree(map, step, most, cities.looks(map).size));
  replaceText(says, sentence(step, compared.length, compared.known));
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
  timer = window.setInterval(next, BEAT);
  replaceText(/** @type {HTMLElement} */ (play.lastElementChild), text("pause"));
}

/**
 * Open the dialog for the bound of a map's instance.
 * @param {string} address of the recorded ascent
 * @param {TourMap} of
 * @param {Compared} beside
 */
async function open(address, of, beside) {
  const answer = await fetch(address).catch(() => null);
  const reply = answer && !answer.ok ? await answer.json().catch(() => null) : null;
  const bytes = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null;
  [map, compared] = [of, beside];
  steps = bytes ? decodeSteps(frames.decode(bytes), of.n) : [];
  most = highest(steps);
  const none = !steps.length;
  canvas.hidden = legend.hidden = controls.hidden = about.hidden = none;
  if (none) replaceText(says, reply?.sentence || text("silent"));
  slider.max = String(Math.max(1, steps.length));
  slider.value = slider.max; // the last step proves the bound
  if (!dialog.isConnected) (document.getElementById("page") || document.body).append(dialog);
  if (!dialog.open) dialog.showModal();
  painter ||= makePainter(canvas, cities.looks);
  painter.show(of);
  draw();
  (none ? shut : slider).focus();
}

slider.addEventListener("input", () => {
  stop();
  draw();
});
play.addEventListener("click", toggle);
shut.addEventListener("click", () => dialog.close());
dialog.addEventListener("close", stop);
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

export { open };
