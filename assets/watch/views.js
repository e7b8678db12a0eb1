/*
 * Chooses which view of a run is shown: its tour; a colony's pheromone, trails and ants; an exact solution's layers; a
 * population; a tabu search's tabu edges.
 */
import { setProps } from "../common/callbacks.js";
import { setText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { root } from "../common/host/root.js";
import { run } from "./run.js";
import { text } from "./texts.js";
import { tour } from "./tour/tour.js";

let chosen = "tour";
let shown = "tour";
let axisOfAll = false; // whether the axis for all data was chosen by this script

/** Return the view to show: the chosen one, if the algorithm has it. */
const chooseView = () => (run.id && run.spec && run.units().views.includes(chosen) ? chosen : "tour");

/**
 * Set a data attribute of the element around the views, for the style sheet.
 * @param {string} name
 * @param {string} value
 */
function setStageData(name, value) {
  /** @type {HTMLElement | null} */
  const stage = root().querySelector(".stage");
  if (stage) stage.dataset[name] = value;
}

function showChosen() {
  if (chooseView() === shown) return;
  shown = chooseView();
  setStageData("view", shown);
  showCaption();
  emit("viewed", shown);
}

/** Show the caption of the view; a tour has none. */
function showCaption() {
  if (shown === "tour") return;
  const view = /** @type {"ants" | "layers" | "pheromone" | "population" | "tabu" | "trails"} */ (shown);
  const alone = view === "pheromone" && !tour.map()?.optimalTour;
  setText("view-sentence", alone ? text("view.pheromone.best") : text(`view.${view}`));
}

/**
 * Show the view that a person has chosen; a tab that was clicked returns the keyboard focus to the player.
 * @param {string} view
 */
function choose(view) {
  const focused = document.activeElement;
  const pressed = focused instanceof HTMLElement && focused.closest("#view") && !focused.matches(":focus-visible");
  if (pressed) focused.blur();
  chosen = view;
  showChosen();
}

/**
 * Choose the chart's axis, unless a person chose one. For algorithms that construct a tour it shows all data, since the
 * tour does not get shorter.
 */
function chooseAxis() {
  const { colony, exact, views } = run.units();
  const all = Boolean(colony || exact || views.includes("population"));
  /** @type {HTMLInputElement | null} */
  const axis = root().querySelector("#convergence-x input:checked");
  const [from, to] = all ? ["climb", "iterations"] : ["iterations", "climb"];
  if (all === axisOfAll || axis?.value !== from) return;
  axisOfAll = all;
  setProps("convergence-x", { value: to });
}

on("opened", () => {
  showChosen();
  showCaption();
  chooseAxis();
});
on("closed", showChosen);
export const views = {
  choose,
  chooseView,
  setStageData,
  shown: () => shown,
  /** @param {string} view */
  isShown: (view) => shown === view,
};
