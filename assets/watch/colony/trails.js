/*
 * The view of trails: the strongest edges on the map, wider with more pheromone, and the best tour over them. It uses a
 * canvas because 2,000 edges as elements of a Plotly line would cost 50 µs or more each at every change.
 */
import { on } from "../../common/events.js";
import { edges } from "../../common/map/edges.js";
import { makeTraces } from "../../common/map/painter.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { makeMapView } from "../tour/map_view.js";
import { tour } from "../tour/tour.js";

const BUCKETS = 6;
const NUMBERS = Array.from({ length: BUCKETS }, (_, k) => k);
const LEAST = 0.02; // relative to the strongest trail: weaker ones would turn the map into a blot
const TOLD_APART = 8; // minimum ratio of the strongest to the weakest trail at which lines have full widths

/** @type {Frames["field"] | null} */
let field = null;
let bestShown = true;

/**
 * Return the edges of each bucket, the weakest first, as flat pairs of cities.
 * @param {FieldArrays} arrays
 */
function buckets({ edges, trail }) {
  /** @type {number[][]} */
  const buckets = NUMBERS.map(() => []);
  for (let k = 0; k < trail.length && trail[k] > 0 && trail[k] >= LEAST * trail[0]; k += 1) {
    const bucket = Math.min(BUCKETS - 1, Math.floor((BUCKETS * trail[k]) / trail[0]));
    buckets[bucket].push(edges[2 * k], edges[2 * k + 1]);
  }
  return buckets;
}

/**
 * Return the line width of each bucket in pixels; all lines are thin while trails hardly differ.
 * @param {FieldValues} values
 * @param {number} n cities
 */
function widths({ low, high }, n) {
  const apart = Math.min(1, Math.log(high / low) / Math.log(TOLD_APART));
  const widest = n <= 250 ? 7 : n <= 600 ? 5 : 3.4;
  return NUMBERS.map((k) => Math.max(0.6, (apart * widest * (k + 1)) / BUCKETS));
}

/**
 * Return the lines of the trails, the weakest first, and of the best tour over them.
 * @param {TourMap} map
 * @param {Frames["field"] | null} [visible] field with the trails, by default that of the view
 * @returns {PaintedLine[]}
 */
function lines({ xy, n }, visible = field) {
  const order = bestShown && run.best?.order;
  const best = order ? [{ line: edges.tourLine(xy, order), colour: "added", width: 1 }] : [];
  if (!visible) return best;
  const wide = widths(visible.values, n);
  const trails = buckets(visible.arrays).map((pairs, k) => ({
    line: edges.edgeLines(xy, pairs),
    colour: `trail-${k}`,
    width: wide[k],
    apart: true,
  }));
  return [...trails, ...best];
}

const draw = makeMapView("trails", lines);

/**
 * The legend names the weakest and the strongest trails only.
 * @param {number} bucket
 */
function trailName(bucket) {
  if (bucket === BUCKETS - 1) return text("picture.trail.strong");
  return bucket === 0 ? text("picture.trail.weak") : "";
}

/** Return the view as Plotly traces on the map's axes, without the cities, for a saved picture. */
function traces() {
  const map = tour.map();
  if (!map) return [];
  const all = lines(map);
  return makeTraces(
    map,
    all.map((line, k) => ({ ...line, name: line.colour === "added" ? text("picture.best") : trailName(k) })),
  );
}

/**
 * Show or hide the best tour over the trails.
 * @param {boolean} on
 */
function showBest(on) {
  bestShown = on;
  draw();
}

on("picture", (picture) => {
  field = picture?.field || null;
  draw();
});
export const trails = { showBest, isBestShown: () => bestShown, buckets, lines, traces };
