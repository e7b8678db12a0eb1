/* The tour on its canvas, with the move that is being made and the optimal tour below. */
import { byId, when } from "../../common/dom.js";
import { emit } from "../../common/events.js";
import { cities } from "../../common/map/cities.js";
import { acrossDateLine } from "../../common/map/date_line.js";
import { edges } from "../../common/map/edges.js";
import { lens } from "../../common/map/lens.js";
import { mapOf } from "../../common/map/map.js";
import { makePainter, traceOf } from "../../common/map/painter.js";
import { visibleEdges } from "../../common/map/thinning.js";
import { text } from "../texts.js";

/** @type {Line} */
const EMPTY = { x: [], y: [] };
const SLIM = 600; // cities, above which lines are thin

/** @type {ReturnType<typeof makePainter> | null} */
let painter = null;
/** @type {TourMap | null} */
let map = null; // the instance that is shown
let optimalShown = false;
/** @type {Line | null} */
let optimal = null; // the line of the map's optimal tour, once it is asked for
/** @type {TourPicture | null} */
let thinned = null; // the tour of which only a part is painted
/** @type {PaintedLine[]} */
let shades = []; // below the tour, of the step that is drawn
/** @type {PaintedLine[]} */
let marks = []; // below the tour, of what a person picks
let plain = false; // whether the last step is left out
let drawn = { tour: EMPTY, removed: EMPTY, added: EMPTY };

/**
 * Lines of at most one pixel are painted five to fifteen times as fast as wider ones in software.
 * @param {TourMap} map
 */
function widths({ n }) {
  if (n > SLIM) return { optimal: 1, tour: 1, removed: 2, added: 3 };
  return { optimal: 5, tour: n <= 250 ? 2 : 1.5, removed: 2.5, added: 4 };
}

/**
 * All lines, the lowest first.
 * @param {TourMap} map
 * @param {boolean} [whole] every edge of a tour of which only a part is painted
 */
function lines(map, whole = false) {
  const { tourLine } = edges;
  const wide = widths(map);
  if (optimalShown && map.optimalTour) optimal ||= tourLine(map.xy, map.optimalTour);
  const tour = whole && thinned ? tourLine(map.xy, thinned.order, thinned.cut) : drawn.tour;
  return [
    { line: (optimalShown && optimal) || EMPTY, colour: "optimal", width: wide.optimal, alpha: 0.35 },
    { line: tour, colour: "tour", width: wide.tour, arrows: map.directed },
    { line: drawn.removed, colour: "removed", width: wide.removed, dash: [5, 5] },
    { line: drawn.added, colour: "added", width: wide.added },
  ];
}

/**
 * The optimal tour of the instance that is shown is known now, or is that of another frame of it.
 * @param {Frames["instance"]} frame
 */
function learnOptimal(frame) {
  if (!map) return;
  map.optimalTour = frame.arrays.optimal_tour ?? null;
  optimal = null;
  emit("map", map);
}

/** @param {TourMap} map */
function withShades(map) {
  const all = lines(map);
  return plain
    ? [...marks, ...all.filter(({ line }) => line !== drawn.removed && line !== drawn.added)]
    : [...shades, ...marks, ...all];
}

/**
 * Show the cities of an instance, and no tour; cities that stand there already stay as close as they are.
 * @param {Frames["instance"]} frame
 */
function showInstance(frame) {
  const again = map?.id && map.id === frame.values.sha256;
  if (!map || !again) {
    map = mapOf(frame);
    optimal = null;
    lens.whole();
  } else learnOptimal(frame);
  drawn = { tour: EMPTY, removed: EMPTY, added: EMPTY };
  thinned = null;
  shades = [];
  marks = [];
  plain = false;
  emit("map", map);
  if (!painter) return; // the canvas will show them
  if (!again) painter.show(map);
  painter.draw(withShades(map));
}

/**
 * A tour's line, thinned where it would be a blot.
 * @param {TourMap} map
 * @param {TourPicture} tour
 * @param {number} fit pixels for each unit of the map
 */
function lineOf(map, tour, fit) {
  const { order, cut } = tour;
  const visible = visibleEdges(map, order, fit);
  thinned = visible ? tour : null;
  return visible ? edges.thinnedLine(map.xy, order, visible, cut) : edges.tourLine(map.xy, order, cut);
}

/**
 * The edges of a construction: as paths, or one by one where they have directions.
 * @param {TourMap} map
 * @param {EdgesPicture} picture
 */
function construction(map, { pairs, count }) {
  const { edgeLines, pathLines } = edges;
  return map.directed
    ? edgeLines(map.xy, Array.prototype.slice.call(pairs, 0, 2 * count))
    : pathLines(map.xy, pairs, count);
}

/**
 * Draw a tour (or the edges of a construction) with the move that is being made. Nothing is drawn before the canvas
 * is there.
 * @param {Picture} picture
 * @returns {boolean} whether it was drawn
 */
function draw(picture) {
  const fit = painter?.fit();
  if (!map || !painter || !fit) return false;
  const { edgeLines } = edges;
  thinned = null;
  shades = [];
  drawn = {
    tour: picture.order ? lineOf(map, picture, fit) : construction(map, picture),
    removed: edgeLines(map.xy, picture.removed || []),
    added: edgeLines(map.xy, picture.added || []),
  };
  return painter.draw(withShades(map));
}

/**
 * Lay the optimal tour below, or take it away.
 * @param {boolean} shown
 */
function showOptimal(shown) {
  optimalShown = shown;
  if (map) painter?.draw(withShades(map));
}

/**
 * Shade something below the tour until the next picture is drawn.
 * @param {PaintedLine[]} under
 */
function shade(under) {
  shades = under;
  if (map) painter?.draw(withShades(map));
}

/**
 * Mark below the tour what a person picks, until other marks are given.
 * @param {PaintedLine[]} under
 * @param {boolean} [alone] whether the step that led here is left out, so that nothing else is marked
 */
function mark(under, alone = false) {
  if (!under.length && !marks.length && alone === plain) return;
  marks = under;
  plain = alone;
  if (map) painter?.draw(withShades(map));
}

/** The lines as traces of Plotly's, with every edge of the tour, for a picture that is kept. */
function traces() {
  if (!map) return [];
  const added = drawn.removed.x.length ? text("picture.in") : text("picture.joins");
  const names = [text("picture.optimal"), text("legend.tour"), text("picture.out"), added];
  return lines(map, true).map((painted, k) => {
    const line = map?.globe ? acrossDateLine(painted.line) : painted.line;
    return traceOf({ ...painted, line, name: names[k] });
  });
}

when(
  () => byId("tour"),
  (canvas) => {
    lens.attach(canvas);
    painter = makePainter(canvas, cities.looks, lens, true);
    if (!map) return;
    painter.show(map);
    painter.draw(withShades(map));
  },
);

export const tour = {
  showInstance,
  learnOptimal,
  draw,
  showOptimal,
  shade,
  mark,
  traces,
  /** Where the map lies on the canvas, null while there is no room for it. */
  place: () => painter?.place() ?? null,
  /** How many times a strip of cities is stretched to fill the canvas; 1 for most maps. */
  stretch: () => painter?.stretch() ?? 1,
  isThinned: () => Boolean(thinned),
  map: () => map,
  /** How many cities, and points of the tour's line, are on the canvas. */
  painted: () => ({ cities: painter?.fit() && map ? map.n : 0, points: drawn.tour.x.length }),
};
