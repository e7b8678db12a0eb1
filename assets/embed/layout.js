/* The layout of a standalone run: the same parts with the same ids as on the Watch page. */
import { button, element } from "../common/elements.js";
import { format } from "../common/format.js";
import { text as watch } from "../watch/texts.js";
import { div, player, steps } from "./controls.js";
import { text } from "./texts.js";

const DRAWN = ["pheromone", "trails", "tabu"]; // views that need no chart

/** @typedef {import("../common/elements.js").Attributes} Attributes */

/**
 * @param {string} id
 * @param {string} label
 * @param {Attributes} [more]
 */
const map = (id, label, more = {}) =>
  element("canvas", { id, class: "map", role: "img", "aria-label": label, ...more });

/** @param {string} name */
const swatch = (name) => element("i", { class: `swatch ${name}` });

/** @param {string} place */
const axis = (place) =>
  div({ class: `heat-axis ${place}`, "aria-hidden": "true" }, element("span"), element("span"), element("span"));

function heat() {
  const canvas = map("heat-canvas", watch("pheromone.label"), { class: "heat-canvas", width: 1, height: 1 });
  const scale = div(
    { class: "heat-scale" },
    div({ class: "heat-bar" }),
    div({ id: "heat-ticks", class: "heat-ticks" }),
  );
  const title = div({ class: "heat-title" }, watch("heatmap.scale"));
  const hover = div({ id: "heat-hover", class: "heat-hover", hidden: true });
  return div(
    { id: "heat", class: "view heat-view" },
    div({ class: "heat-frame" }, canvas, scale, title, axis("across"), axis("up"), hover),
  );
}

/** @type {Record<string, () => Node>} */
const VIEWS = {
  pheromone: heat,
  trails: () => div({ class: "view trails-view" }, map("trails", watch("trails.label"))),
  tabu: () => div({ class: "view tabu-view" }, map("tabu", watch("tabu.label"))),
};

/** @param {string[]} views */
function tabs(views) {
  if (!views.length) return null;
  const named = ["tour", ...views].map((view) => {
    const visible = view.charAt(0).toUpperCase() + view.slice(1);
    return button({ class: "button", "data-view": view, "aria-pressed": String(view === "tour") }, visible);
  });
  return div({ class: "views", role: "group", "aria-label": watch("views.label") }, ...named);
}

function optimalSwitch() {
  const box = element("input", { id: "show-optimal", type: "checkbox" });
  return element("label", { class: "overlay-switch" }, box, swatch("optimal"), watch("legend.optimal"));
}

/**
 * Make the legend of moves, or of a construction, which only adds edges.
 * @param {boolean} building
 * @param {boolean} optimal whether an optimal tour is known
 */
function legend(building, optimal) {
  return div(
    { id: "legend", class: building ? "legend building" : "legend" },
    element(
      "span",
      {},
      swatch("removed"),
      element("span", { id: "legend-move" }, watch(building ? "legend.joins" : "legend.out")),
    ),
    element(
      "span",
      { class: "entering" },
      swatch("added"),
      element("span", { id: "legend-entering" }, watch("legend.in")),
    ),
    element("span", {}, swatch("tour"), watch("legend.tour")),
    optimal ? optimalSwitch() : null,
  );
}

/**
 * @param {string} id
 * @param {string} name
 */
function scrub(id, name) {
  const range = element("input", { id, class: "slider", type: "range", min: 0, max: 0, step: 1, value: 0 });
  const label = element("span", { id: `${id}-label`, class: "scrub-label" }, format.NONE);
  return [element("label", { for: id }, name), range, label];
}

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** @param {Pick<Units, "iteration" | "step">} [units] */
function controls({ iteration, step } = { iteration: "climber", step: "move" }) {
  const walk = iteration === "climber" ? watch("player.climb") : capital(format.unit(iteration));
  return player(
    "player",
    steps("player", watch("player.walk"), watch("player.step", { step: format.unit(step) })),
    div(
      { class: "scrubs" },
      div({ class: "scrub scrub-first" }, ...scrub("player-climb", walk)),
      div({ class: "scrub" }, ...scrub("player-move", capital(format.unit(step)))),
    ),
    div({ class: "speed" }, ...scrub("player-speed", watch("player.speed"))),
  );
}

/**
 * Return all parts of a standalone run.
 * @param {Units | undefined} units of its algorithm
 * @param {string} all units of all algorithms, as JSON
 * @param {string} recorded note on climbs that are not included
 * @param {boolean} optimal whether an optimal tour is known
 */
export function layout(units, all, recorded, optimal) {
  const views = DRAWN.filter((view) => units?.views.includes(view));
  const stage = element(
    "section",
    { id: "stage", class: "stage", "data-view": "tour", tabindex: -1, "aria-label": watch("tour.label") },
    div(
      { class: "hud" },
      div(
        { class: "stage-line" },
        div({ id: "hud-run", class: "hud-run" }),
        element("span", { id: "hud-where", class: "hud-where" }),
      ),
      div(
        { class: "tile" },
        element("small", {}, watch("tiles.now")),
        element(
          "span",
          {},
          element("b", { id: "hud-length", class: "hud-length" }, format.NONE),
          element("span", { id: "hud-unit", class: "hud-unit" }),
        ),
        element("span", { id: "hud-gap", class: "hud-gap" }),
      ),
    ),
    tabs(views),
    div({ class: "canvas" }, map("tour", watch("tour.map")), ...views.map((view) => VIEWS[view]())),
    element("p", { id: "explain", class: "explain", "aria-live": "polite" }),
    legend(units?.step === "edge", optimal),
    div(
      { class: "legend view-foot" },
      div({ id: "view-sentence", class: "note" }),
      element("span", { id: "tabu-at", class: "for-tabu" }),
    ),
    controls(units),
    div(
      { class: "foot" },
      element("span", { id: "ending-sentence" }),
      element("span", {}, recorded),
      element("span", { class: "made" }, text("made")),
    ),
  );
  return div({ id: "page", "data-units": all }, stage);
}
