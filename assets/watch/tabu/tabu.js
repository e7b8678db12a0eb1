/* The view of a tabu search: its current tour, the edges that may not be added, and those that may not be removed. */
import { setText } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { edges } from "../../common/map/edges.js";
import { makeTraces } from "../../common/map/painter.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { makeMapView } from "../tour/map_view.js";
import { tour } from "../tour/tour.js";
import { tabuAt } from "./history.js";

/** @type {number | null} */
let search = null; // the player's search

/**
 * Return the lines of the tour, with the tabu edges over it.
 * @param {TourMap} map
 * @returns {(PaintedLine & {name: string})[]}
 */
function lines({ xy }) {
  const picture = tabuAt(search);
  if (!picture) return [];
  const { order, removed, added } = picture.arrays;
  return [
    { line: edges.tourLine(xy, order), colour: "tour", width: 1.5, name: text("legend.tour") },
    { line: edges.edgeLines(xy, removed), colour: "removed", width: 2, dash: [5, 5], name: text("tabu.removed") },
    { line: edges.edgeLines(xy, added), colour: "added", width: 3, name: text("tabu.added") },
  ];
}

/** Show the number of the search, its progress, and the length of its tour. */
function showSearch() {
  const picture = tabuAt(search);
  if (!picture) return setText("tabu-at", "");
  const { climber, step, length } = picture.values;
  return setText("tabu-at", text("tabu.at", { search: run.number(climber), step, length }));
}

const draw = makeMapView("tabu", (map) => {
  showSearch();
  return lines(map);
});

/** Return the view as Plotly traces on the map's axes, without the cities, for a saved picture. */
function traces() {
  const map = tour.map();
  return map ? makeTraces(map, lines(map)) : [];
}

on("tabu", draw);
on("view", ({ climber, walk }) => {
  if (walk !== "iteration") return;
  search = climber;
  draw();
});
on("closed", () => {
  search = null;
});
export const tabu = { traces };
