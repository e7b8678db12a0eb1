/* Which view of a run is shown: its tour; of a colony pheromone, trails and ants; of an exact solution its layers; a
   population; of a tabu search its tabu edges. */
import { setProps } from "../common/callbacks.js";
import { setText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { room } from "../common/host/room.js";
import { run } from "./run.js";
import { text } from "./texts.js";
import { tour } from "./tour/tour.js";

let chosen = "tour";
let shown = "tour";
let axisOfAll = false; // whether the chart's axis was chosen for iterations that are all of one run

/** The view that is to be shown: the one that was chosen, if the algorithm has it. */
const due = () => (run.id && run.spec && run.units().views.includes(chosen) ? chosen : "tour");

/**
 * Give the element around the views a data attribute for the style sheet.
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
 * A person has chosen a view; a tab that was pressed with a mouse gives the keyboard back to the player.
 * @param {string} view
 */
function choose(view) {
  const focused = document.activeElement;
  const pressed = focused instanceof HTMLElement && focused.closest("#view") && !focused.matches(":focus-visible");
  if (pressed) focused.blur();
  chosen = view;
  settle();
}

/** A tour that is built does not fall: of such algorithms the chart shows all, unless a person chose otherwise. */
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
