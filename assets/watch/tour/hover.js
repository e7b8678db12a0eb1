/* The name of the city under the pointer, and the lengths of its edges in the tour. */
import { byId, when } from "../../common/dom.js";
import { element } from "../../common/elements.js";
import { on } from "../../common/events.js";
import { distance } from "../../common/map/distances.js";
import { citiesNear, onCanvas, pointerReach } from "../../common/map/picking.js";
import { listenToTaps } from "../../common/map/taps.js";
import { lengthUnit } from "../../common/map/units.js";
import { cityName, cityNumber } from "../explain/edges.js";
import { classAnswers } from "../predict/class_answers.js";
import { text } from "../texts.js";
import { chooser } from "./chooser.js";
import { findNeighbours } from "./neighbours.js";
import { tour } from "./tour.js";

const GAP = 12; // pixels between a city and its tooltip
const MOST = 2; // maximum number of edges shown for a city

const tip = element("div.city-tip", { "aria-hidden": "true", hidden: true }); // the list of places contains all of this

/**
 * Return the name and number of a city, or only its number.
 * @param {TourMap} map
 * @param {number} city
 */
function describeCity(map, city) {
  const number = cityNumber(map, city);
  const name = map.names?.[city];
  return name ? text("hover.named", { name, city: number }) : text("hover.city", { city: number });
}

/**
 * Return the lines of text about a city.
 * @param {TourMap} map
 * @param {number} city
 */
function lines(map, city) {
  const picture = tour.picture();
  const beside = picture ? findNeighbours(picture, city).slice(0, MOST) : [];
  const edges = beside.map((other, k) => {
    const far = map.directed && !k ? distance(map, other, city) : distance(map, city, other);
    const sentences = { length: far, city: cityName(map, other) };
    const unit = lengthUnit({ edge_weight_type: map.measure.kind });
    return unit ? text("hover.edge.globe", { ...sentences, unit }) : text("hover.edge", sentences);
  });
  return [describeCity(map, city), ...edges];
}

/** @type {{ point: { x: number, y: number }, pointer: string } | null} */
let hover = null; // position of the pointer
let picks = false; // whether the last press was a choice on the map, which may have ended with it

/** Return whether a person is choosing something on the map. */
const isChoosing = () => chooser.takes("Enter") || classAnswers.isOpen();

function hide() {
  hover = null;
  tip.hidden = true;
}

/**
 * @param {{ x: number, y: number } | null} point of the canvas
 * @param {string} pointer
 */
function show(point, pointer) {
  const [map, place] = [tour.map(), tour.place()];
  const [nearest] =
    point && map && place && !isChoosing() ? citiesNear(map.xy, place, point, pointerReach(pointer)) : [];
  if (!point || !nearest || !map || !place) return hide();
  hover = { point, pointer };
  const canvas = byId("tour");
  const at = onCanvas(map.xy, place, nearest.at);
  tip.replaceChildren(...lines(map, nearest.at).map((line, k) => element(k ? "div" : "b", {}, line)));
  tip.hidden = false;
  const right = at.x + GAP + tip.offsetWidth > canvas.clientWidth;
  const x = right ? at.x - GAP - tip.offsetWidth : at.x + GAP;
  const y = Math.min(canvas.clientHeight - tip.offsetHeight, Math.max(0, at.y - tip.offsetHeight / 2));
  Object.assign(tip.style, { left: `${Math.max(0, x)}px`, top: `${y}px` });
}

/** Hide the tooltip when the mouse moves away; lifting a finger keeps it. @param {{ x: number, y: number } | null} point */
function move(point) {
  if (point || hover?.pointer === "mouse") show(point, "mouse");
}

on("view", () => hover && show(hover.point, hover.pointer)); // the tour may have changed
on(["map", "lens", "viewed"], hide);
when(
  () => byId("tour"),
  (canvas) => {
    canvas.after(tip);
    canvas.addEventListener("pointerdown", () => (picks = isChoosing()), { capture: true });
    listenToTaps(canvas, { tap: (point, pointer) => picks || show(point, pointer), hover: move });
  },
);
