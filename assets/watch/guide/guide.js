/*
 * The guide of the first minute, a line above the tour. It is shown on the first visit to the empty page until a person
 * closes or completes it, which the browser remembers. `early/watch.js` decides before the first picture, so that the
 * layout does not shift. It blocks nothing, and marks the completed parts.
 */
import { byId, closest } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { browserStorage } from "../../common/storage.js";
import { run } from "../run.js";

const KEY = "guide"; // as in `early/watch.js`
const STEPS = ["#player-back", "#player-forward"];
const root = document.documentElement;

const isShown = () => root.dataset.guide === "on";

function close() {
  delete root.dataset.guide;
  browserStorage.storeText(KEY, "closed");
  byId("stage")?.focus({ preventScroll: true });
}

/** Show the guide again from the beginning. */
function open() {
  browserStorage.storeText(KEY, "open");
  for (const mark of document.querySelectorAll(".guide li")) mark.removeAttribute("data-done");
  root.dataset.guide = "on";
  byId("guide")?.scrollIntoView({ block: "nearest" });
}

/** @param {string} mark */
function markDone(mark) {
  if (!isShown()) return;
  const element = document.querySelector(`.guide li[data-mark="${mark}"]`);
  if (!element || element.hasAttribute("data-done")) return;
  element.setAttribute("data-done", "");
  if (mark !== "what") markDone("what");
  if (!document.querySelector(".guide li[data-mark]:not([data-done])")) browserStorage.storeText(KEY, "closed"); // it is not shown again
}

/** Algorithms of the last opened run's stages. */
let algorithms = "";
let awaited = false; // whether the open run has yet to show its first move

on("opened", () => {
  const these = (run.spec?.stages || []).map(({ algorithm }) => algorithm).join(" ");
  if (algorithms && these !== algorithms) markDone("change");
  algorithms = these;
  awaited = true;
  if (run.units().step !== "move") markDone("drag"); // then no slider for moves exists
});

/** Only now can the tour be seen and stepped through. */
function visible() {
  if (awaited) markDone("start");
  awaited = false;
}

on("view", ({ walk, position }) => (position > 0 || walk === "iteration") && visible());
on("log", () => run.id && !run.active() && visible()); // the run may have no moves to show
document.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === "player-move" && run.id) markDone("drag");
});
document.addEventListener("click", (event) => {
  if (closest(event, "#guide-close")) close();
  if (run.id && STEPS.some((step) => closest(event, step))) markDone("drag"); // stepping through moves counts as well
});
// While the guide has the focus, Escape closes it.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && closest(event, "#guide")) close();
});

export const guide = { open };
