/* The tour on its canvas, with the move that is being made and the optimal tour below. */
import { byId, when } from "../../common/dom.js";
import { emit } from "../../common/events.js";
import { cities } from "../../common/map/cities.js";
import { edges } from "../../common/map/edges.js";
import { lens } from "../../common/map/lens.js";
import { makeMap } from "../../common/map/map.js";
import { makePainter, makeTraces } from "../../common/map/painter.js";
import { FEW, visibleEdges } from "../../common/map/thinning.js";
import { cityName } from "../explain/edges.js";
import { text } from "../texts.js";
import { comparedTo, sharedLines } from "./shared.js";

/** @type {Line} */
const EMPTY = { x: [], y: [] };
const WHOLE = { visible: null, isThinned: false };
const SLIM = 600; // cities, above which lines are thin
const MOST_NAMES = 12; // more would be a thicket

/** @type {ReturnType<typeof makePainter> | null} */
let painter = null;
/** @type {TourMap | null} */
let map = null; // the instance that is shown
/** @type {Picture | null} */
let latest = null; // what was drawn last
let optimalShown = false;
let sharedShown = false; // whether the tour's edges are drawn by whether the optimal tour has them
/** @type {Compared | null} */
let compared = null; // what is drawn and the optimal tour, while shared edges are shown
/** @type {Line | null} */
let optimal = null; // the line of the map's optimal tour, once it is asked for
/** @type {TourPicture | null} */
let partial = null; // the tour of which only a part is painted
let thinned = false; // whether edges are left out that could be seen
/** @type {PaintedLine[]} */
let shades = []; // below the tour, of the step that is drawn
/** @type {PaintedLine[]} */
let marks = []; // below the tour, of what a person picks
/** @type {number[]} */
let named = []; // cities that have their names beside them
let plain = false; // whether the last step is left out
/** @type {Record<"tour" | "removed" | "added", Line>} */
let drawn = { tour: EMPTY, removed: EMPTY, added: EMPTY };
/** @type {Line} */
let leaving = EMPTY; // edges that leave, or enter in their place: names stand where they are while a move is made

/**
 * Lines of at most one pixel are painted five to fifteen times as fast as wider ones in software.
 * @param {TourMap} map
 */
function widths({ n }) {
  if (n > SLIM) return { optimal: 1, tour: 1, shared: 2, removed: 2, added: 3 };
  return { optimal: 5, tour: n <= 250 ? 2 : 1.5, shared: n <= 250 ? 3 : 2, removed: 2.5, added: 4 };
}

/**
 * The lines of a picture over that of the optimal tour, the lowest first.
 * @param {TourMap} map
 * @param {typeof drawn} picture
 * @returns {PaintedLine[]}
 */
function layers(map, { tour, removed, added }) {
  const wide = widths(map);
  const steps = [
    { line: removed, colour: "removed", width: wide.removed, dash: [5, 5] },
    { line: added, colour: "added", width: wide.added },
  ];
  if (compared) return [...sharedLines(map, compared, { tour: wide.tour, missing: wide.shared }), ...steps];
  if (optimalShown && map.optimalTour) optimal ||= edges.tourLine(map.xy, map.optimalTour);
  return [
    { line: (optimalShown && optimal) || EMPTY, colour: "optimal", width: wide.optimal, alpha: 0.35 },
    { line: tour, colour: "tour", width: wide.tour, arrows: map.directed },
    ...steps,
  ];
}

/**
 * All lines of what is drawn, the lowest first.
 * @param {TourMap} map
 * @param {boolean} [whole] every edge of a tour of which only a part is painted
 */
function lines(map, whole = false) {
  const tour = whole && partial ? wholeLine(map, partial) : drawn.tour;
  return layers(map, { ...drawn, tour });
}

/**
 * The optimal tour of the instance that is shown is known now, or is that of another frame of it.
 * @param {Frames["instance"]} frame
 */
function learnOptimal(frame) {
  if (!map) return;
  map.optimalTour = frame.arrays.optimal_tour ?? null;
  map.proven = frame.values.proven;
  optimal = null;
  emit("map", map);
  compareAgain();
}

/** @param {TourMap} map */
function withShades(map) {
  const all = lines(map);
  return plain
    ? [...marks, ...all.filter(({ line }) => line !== drawn.removed && line !== drawn.added)]
    : [...shades, ...marks, ...all];
}

/**
 * The names of the cities of the step; none of more than a few.
 * @param {TourMap} map
 * @returns {CityNames | null}
 */
function names(map) {
  const cities = [...new Set(named)];
  if (plain || !cities.length || cities.length > MOST_NAMES) return null;
  return { cities, edges: [drawn.removed, drawn.added, leaving], cityName: (city) => cityName(map, city) };
}

/** Draw again what is on the canvas. */
const redraw = () => (map && painter ? painter.draw(withShades(map), names(map)) : false);

/**
 * The edges that take the place of those of a 2-opt move, which leave (or entered).
 * @param {ArrayLike<number>} ends
 */
const instead = (ends) => (ends.length === 4 ? [ends[0], ends[2], ends[1], ends[3]] : []);

/**
 * Show the cities of an instance, and no tour; cities that stand there already stay as close as they are.
 * @param {Frames["instance"]} frame
 */
function showInstance(frame) {
  const again = map?.id && map.id === frame.values.sha256;
  if (!map || !again) {
    map = makeMap(frame);
    optimal = null;
    lens.whole();
  } else learnOptimal(frame);
  drawn = { tour: EMPTY, removed: EMPTY, added: EMPTY };
  latest = null;
  compared = null;
  partial = null;
  thinned = false;
  leaving = EMPTY;
  shades = [];
  named = [];
  marks = [];
  plain = false;
  emit("map", map);
  if (!painter) return; // the canvas will show them
  if (!again) painter.show(map);
  redraw();
}

/**
 * The line of all of a tour.
 * @param {TourMap} map
 * @param {TourPicture} tour
 */
const wholeLine = (map, { order, cut }) => edges.tourLine(map.xy, order, edges.undrawn(map, order, cut));

/**
 * A tour's line, thinned where it would be a blot; of a very long one what is on the canvas.
 * @param {TourMap} map
 * @param {TourPicture} tour
 * @param {ReturnType<typeof makePainter>} there what paints it
 */
function thinLine(map, tour, there) {
  const { order, cut } = tour;
  const [part, place] = [there.part(), there.place()];
  const scale = (part ? place?.scale : place?.fit) || 0;
  const { visible, isThinned } = compared ? WHOLE : visibleEdges(map, order, scale, part);
  partial = visible ? tour : null;
  thinned = isThinned;
  return visible ? edges.thinnedLine(map.xy, order, visible, edges.undrawn(map, order, cut)) : wholeLine(map, tour);
}

/**
 * The edges of a construction: as paths, or one by one where they have directions or are no paths.
 * @param {TourMap} map
 * @param {EdgesPicture} picture
 */
function construction(map, { pairs, count, apart }) {
  const { edgeLines, pathLines } = edges;
  return map.directed || apart
    ? edgeLines(map.xy, Array.prototype.slice.call(pairs, 0, 2 * count))
    : pathLines(map.xy, pairs, count);
}

/**
 * What a picture draws of the tour, and of the move that is being made.
 * @param {TourMap} map
 * @param {Picture} picture
 * @param {(tour: TourPicture) => Line} line of a tour
 */
const pictureParts = (map, picture, line) => ({
  tour: picture.order ? line(picture) : construction(map, picture),
  removed: edges.edgeLines(map.xy, picture.removed || []),
  added: edges.edgeLines(map.xy, picture.added || []),
});

/**
 * The lines of a picture for another canvas, with every edge of the tour, the lowest first.
 * @param {TourMap} map
 * @param {Picture} picture
 */
const pictureLines = (map, picture) =>
  layers(
    map,
    pictureParts(map, picture, (tour) => wholeLine(map, tour)),
  );

/**
 * Draw a tour (or the edges of a construction) with the move that is being made. Nothing is drawn before the canvas
 * is there.
 * @param {Picture} picture
 * @returns {boolean} whether it was drawn
 */
function draw(picture) {
  if (!map || !painter?.fit()) return false;
  const [shown, there] = [map, painter];
  latest = picture;
  compared = sharedShown ? comparedTo(map, picture) : null;
  partial = null;
  thinned = false;
  shades = [];
  named = [];
  leaving = edges.edgeLines(map.xy, instead(picture.removed || []));
  drawn = pictureParts(map, picture, (tour) => thinLine(shown, tour, there));
  return redraw();
}

/**
 * Lay the optimal tour below, or take it away.
 * @param {boolean} shown
 */
function showOptimal(shown) {
  optimalShown = shown;
  redraw();
}

/** Draw the tour's line again, of which other edges may be visible now. */
function drawTourAgain() {
  if (map && latest?.order && painter?.fit()) drawn.tour = thinLine(map, latest, painter);
}

/** The map lies elsewhere on the canvas: of a long tour other edges are to be drawn; whether it was drawn. */
function moved() {
  const [wasPartial, wasThinned] = [Boolean(partial), thinned];
  if (!map || map.n <= FEW || !latest?.order) return false;
  drawTourAgain();
  if (thinned !== wasThinned) emit("thinned", thinned);
  return wasPartial || partial ? redraw() : false;
}

/** What is on the canvas, compared with the optimal tour as it is now. */
function compareAgain() {
  compared = map && latest && sharedShown ? comparedTo(map, latest) : null;
  drawTourAgain();
  redraw();
  emit("compared", null);
}

/**
 * Draw the tour's edges by whether the optimal tour has them, or as one line again.
 * @param {boolean} shown
 */
function showShared(shown) {
  sharedShown = shown;
  compareAgain();
}

/**
 * Shade something below the tour, and name some cities, until the next picture is drawn.
 * @param {PaintedLine[]} under
 * @param {number[]} [cities]
 */
function shade(under, cities = []) {
  shades = under;
  named = cities;
  redraw();
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
  redraw();
}

/** The lines as Plotly traces, with every edge of the tour, for a saved picture. */
function traces() {
  if (!map) return [];
  const added = drawn.removed.x.length ? text("picture.in") : text("picture.joins");
  const plain = [text("picture.optimal"), text("legend.tour"), text("picture.out"), added];
  const all = lines(map, true);
  const names = compared ? ["", "", ""].concat(plain.slice(2)) : plain; // those of shared edges have their own
  return makeTraces(
    map,
    all.map((painted, k) => ({ name: names[k], ...painted })),
  );
}

when(
  () => byId("tour"),
  (canvas) => {
    lens.attach(canvas);
    painter = makePainter(canvas, cities.looks, lens, true, moved);
    if (!map) return;
    painter.show(map);
    redraw();
  },
);

export const tour = {
  showInstance,
  learnOptimal,
  draw,
  showOptimal,
  showShared,
  shade,
  mark,
  traces,
  pictureLines,
  /** Where the map lies on the canvas, null while there is no room for it. */
  place: () => painter?.place() ?? null,
  /** How many times lines and cities are wider than usual. */
  bold: () => painter?.bold() ?? 1,
  /** How many times a strip of cities is stretched to fill the canvas; 1 for most maps. */
  stretch: () => painter?.stretch() ?? 1,
  /** The last drawing; null while there are only cities. */
  picture: () => latest,
  isThinned: () => thinned,
  map: () => map,
  /** What is drawn beside the optimal tour; null unless shared edges are shown. */
  compared: () => compared,
  /** The cities that have their names on the map. */
  named: () => (map && names(map)?.cities) || [],
  /** How many cities, and points of the tour's line, are on the canvas. */
  painted: () => ({ cities: painter?.fit() && map ? map.n : 0, points: drawn.tour.x.length }),
};
