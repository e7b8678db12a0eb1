/* The layout of a standalone run: the same parts with the same ids as on the Watch page. */
import { button, element } from "../common/elements.js";
import { format } from "../common/format.js";
import { text as watch } from "../watch/texts.js";
import { player, steps } from "./controls.js";
import { text } from "./texts.js";

const DRAWN = ["pheromone", "trails", "tabu"]; // views that need no chart

/** @typedef {import("../common/elements.js").Attributes} Attributes */

/**
 * @param {string} id
 * @param {string} label
 * @param {Attributes} [more]
 */
const map = (id, label, more = {}) => element("canvas.map", { id, role: "img", "aria-label": label, ...more });

/** @param {string} name */
const swatch = (name) => element(`i.swatch.${name}`);

/** @param {string} place */
const axis = (place) =>
  element(`div.heat-axis.${place}`, { "aria-hidden": "true" }, ...[1, 2, 3].map(() => element("span")));

function heat() {
  const canvas = map("heat-canvas", watch("pheromone.label"), { class: "heat-canvas", width: 1, height: 1 });
  const scale = element("div.heat-scale", element("div.heat-bar"), element("div.heat-ticks", { id: "heat-ticks" }));
  const title = element("div.heat-title", watch("heatmap.scale"));
  const hover = element("div.heat-hover", { id: "heat-hover", hidden: true });
  return element(
    "div.view.heat-view",
    { id: "heat" },
    element("div.heat-frame", canvas, scale, title, axis("across"), axis("up"), hover),
  );
}

/** @type {Record<string, () => Node>} */
const VIEWS = {
  pheromone: heat,
  trails: () => element("div.view.trails-view", map("trails", watch("trails.label"))),
  tabu: () => element("div.view.tabu-view", map("tabu", watch("tabu.label"))),
};

/** @param {string[]} views */
function tabs(views) {
  if (!views.length) return null;
  const named = ["tour", ...views].map((view) => {
    const label = view.charAt(0).toUpperCase() + view.slice(1);
    return button({ class: "button", "data-view": view, "aria-pressed": String(view === "tour") }, label);
  });
  return element("div.views", { role: "group", "aria-label": watch("views.label") }, ...named);
}

function optimalSwitch() {
  const box = element("input", { id: "show-optimal", type: "checkbox" });
  return element("label.overlay-switch", box, swatch("optimal"), watch("legend.optimal"));
}

/**
 * Make the legend of moves, or of a construction, which only adds edges.
 * @param {boolean} building
 * @param {boolean} optimal whether an optimal tour is known
 */
function legend(building, optimal) {
  return element(
    "div",
    { id: "legend", class: building ? "legend building" : "legend" },
    element(
      "span",
      swatch("removed"),
      element("span", { id: "legend-move" }, watch(building ? "legend.joins" : "legend.out")),
    ),
    element("span.entering", swatch("added"), element("span", { id: "legend-entering" }, watch("legend.in"))),
    element("span", swatch("tour"), watch("legend.tour")),
    optimal ? optimalSwitch() : null,
  );
}

/**
 * @param {string} id
 * @param {string} name
 */
function scrub(id, name) {
  const range = element("input.slider", { id, type: "range", min: 0, max: 0, step: 1, value: 0 });
  const label = element("span.scrub-label", { id: `${id}-label` }, format.NONE);
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
    element(
      "div.scrubs",
      element("div.scrub.scrub-first", ...scrub("player-climb", walk)),
      element("div.scrub", ...scrub("player-move", capital(format.unit(step)))),
    ),
    element("div.speed", ...scrub("player-speed", watch("player.speed"))),
  );
}

/**
 * Return all parts of a standalone run.
 * @param {Units | undefined} units of its algorithm
 * @param {string} all units of all algorithms, as JSON
 * @param {string} recorded note on how many climbs are included
 * @param {boolean} optimal whether an optimal tour is known
 */
export function layout(units, all, recorded, optimal) {
  const views = DRAWN.filter((view) => units?.views.includes(view));
  const stage = element(
    "section.stage",
    { id: "stage", "data-view": "tour", tabindex: -1, "aria-label": watch("tour.label") },
    element(
      "div.hud",
      element(
        "div.stage-line",
        element("div.hud-run", { id: "hud-run" }),
        element("span.hud-where", { id: "hud-where" }),
      ),
      element(
        "div.tile",
        element("small", watch("tiles.now")),
        element(
          "span",
          element("b.hud-length", { id: "hud-length" }, format.NONE),
          element("span.hud-unit", { id: "hud-unit" }),
        ),
        element("span.hud-gap", { id: "hud-gap" }),
      ),
    ),
    tabs(views),
    element("div.canvas", map("tour", watch("tour.map")), ...views.map((view) => VIEWS[view]())),
    element("p.explain", { id: "explain", "aria-live": "polite" }),
    legend(units?.step === "edge", optimal),
    element(
      "div.legend.view-foot",
      element("div.note", { id: "view-sentence" }),
      element("span.for-tabu", { id: "tabu-at" }),
    ),
    controls(units),
    element(
      "div.foot",
      element("span", { id: "ending-sentence" }),
      element("span", recorded),
      element("span.made", text("made")),
    ),
  );
  return element("div", { id: "page", "data-units": all }, stage);
}
