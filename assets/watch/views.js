/*
 * Which view of a run is shown: its tour; a colony's pheromone, trails and ants; an exact solution's layers; a
 * population; a tabu search's tabu edges.
 */
import { setProps } from "../common/callbacks.js";
import { setText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { room } from "../common/host/room.js";
import { run } from "./run.js";
import { text } from "./texts.js";
import { tour } from "./tour/tour.js";

let chosen = "tour";
let shown = "tour";
let axisOfAll = false; // whether the chart's axis was chosen for iterations that are all part of one run

/** The view to show: the chosen one, if the algorithm has it. */
const due = () => (run.id && run.spec && run.units().views.includes(chosen) ? chosen : "tour");

/**
 * Set a data attribute of the element around the views, for the style sheet.
 * @param {string} name
 * @param {string} value
 */
function tellStage(name, value) {
  /** @type {HTMLElement | null} */
  const stage = room().querySelector(".stage");
  if (stage) stage.dataset[name] = value;
}

function settle() {
  if (due() === shown) return;
  shown = due();
  tellStage("view", shown);
  say();
  emit("viewed", shown);
}

/** The caption of the view; a tour has none. */
function say() {
  if (shown === "tour") return;
  const view = /** @type {"ants" | "layers" | "pheromone" | "population" | "tabu" | "trails"} */ (shown);
  const alone = view === "pheromone" && !tour.map()?.optimalTour;
  setText("view-says", alone ? text("view.pheromone.best") : text(`view.${view}`));
}

/**
 * A person has chosen a view; after a press with a mouse, a tab gives the keyboard back to the player.
 * @param {string} view
 */
function choose(view) {
  const focused = document.activeElement;
  const pressed = focused instanceof HTMLElement && focused.closest("#view") && !focused.matches(":focus-visible");
  if (pressed) focused.blur();
  chosen = view;
  settle();
}

/**
 * A constructed tour does not get shorter: for such algorithms the chart shows all, unless a person chose otherwise.
 */
function chooseAxis() {
  const { colony, exact, views } = run.units();
  const all = Boolean(colony || exact || views.includes("population"));
  /** @type {HTMLInputElement | null} */
  const axis = room().querySelector("#convergence-x input:checked");
  const [from, to] = all ? ["climb", "iterations"] : ["iterations", "climb"];
  if (all === axisOfAll || axis?.value !== from) return;
  axisOfAll = all;
  setProps("convergence-x", { value: to });
}

on("opened", () => {
  settle();
  say();
  chooseAxis();
});
on("closed", settle);
export const views = {
  choose,
  due,
  tellStage,
  shown: () => shown,
  /** @param {string} view */
  isShown: (view) => shown === view,
};
