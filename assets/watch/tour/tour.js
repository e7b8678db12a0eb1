/* The tour on its canvas, with the current move over it and the optimal tour below it. */
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
import { comparedTo, sharedLines } from "./shared_edges.js";

/** @type {Line} */
const EMPTY = { x: [], y: [] };
const WHOLE = { visible: null, isThinned: false };
const SLIM = 600; // cities above which lines are thin
const MAX_NAMES = 12; // more names would be a thicket
const MAX_PLACES = 30; // places of a map that have all their names beside them, as far as there is room

/** @type {ReturnType<typeof makePainter> | null} */
let painter = null;
/** @type {TourMap | null} */
let map = null; // the shown instance
/** @type {Picture | null} */
let latest = null; // the last drawn picture
let optimalShown = false;
let sharedShown = false; // whether the tour's edges are distinguished by whether the optimal tour has them
/** @type {Compared | null} */
let compared = null; // the comparison with the optimal tour, while shared edges are shown
/** @type {Line | null} */
let optimal = null; // the line of the map's optimal tour, once needed
/** @type {TourPicture | null} */
let partial = null; // the tour that is only partly painted
let thinned = false; // whether visible edges are left out
/** @type {PaintedLine[]} */
let areas = []; // lines below everything else
/** @type {PaintedLine[]} */
let shades = []; // lines below the tour that belong to the shown step
/** @type {PaintedLine[]} */
let marks = []; // lines below the tour that mark a person's picks
/** @type {number[]} */
let named = []; // cities with their names beside them
let plain = false; // whether the last step is hidden
/** @type {PaintedLine[]} */
let answers = []; // lines below the tour that mark the answers to a question to the class
/** @type {PlacedLetter[]} */
let letters = []; // the letters of these answers
/** @type {Record<"tour" | "removed" | "added", Line>} */
let drawn = { tour: EMPTY, removed: EMPTY, added: EMPTY };
/** @type {Line} */
let leaving = EMPTY; // ends of the edges that leave or have replaced them, so that names stay in place during a move

/**
 * Lines of at most one pixel are painted five to fifteen times as fast as wider ones in software.
 * @param {TourMap} map
 */
function widths({ n }) {
  if (n > SLIM) return { optimal: 1, tour: 1, shared: 2, removed: 2, added: 3 };
  return { optimal: 5, tour: n <= 250 ? 2 : 1.5, shared: n <= 250 ? 3 : 2, removed: 2.5, added: 4 };
}

/**
 * Return the lines of a picture over the optimal tour's line, from bottom to top.
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
 * Return all lines of the drawing, from bottom to top.
 * @param {TourMap} map
 * @param {boolean} [whole] whether to include the edges that are not painted
 */
function lines(map, whole = false) {
  const tour = whole && partial ? wholeLine(map, partial) : drawn.tour;
  return layers(map, { ...drawn, tour });
}

/**
 * Store the optimal tour of the shown instance when a frame brings it.
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
  return plain || answers.length // the step before a question may give its answer away
    ? [...answers, ...marks, ...all.filter(({ line }) => line !== drawn.removed && line !== drawn.added)]
    : [...shades, ...answers, ...marks, ...all];
}

/**
 * Return the names of the cities in the step, none if there are too many; and those of all places of a small map.
 * @param {TourMap} map
 * @returns {CityNames | null}
 */
function names(map) {
  const covered = [drawn.removed, drawn.added, leaving];
  if (letters.length) {
    const [beside, onEdges] = [1, 2].map((count) => letters.filter((each) => each.cities.length === count));
    const byCity = new Map(beside.map((each) => [each.cities[0], each.letter]));
    return {
      cities: [...byCity.keys()],
      edges: covered,
      cityName: (city) => byCity.get(city) || "",
      letters: onEdges,
    };
  }
  const step = new Set(named);
  const shown = plain || step.size > MAX_NAMES ? [] : step;
  const places = map.n > MAX_PLACES ? [] : (map.names ?? []).flatMap((name, city) => (name ? city : []));
  const cities = [...new Set([...shown, ...places])];
  if (!cities.length) return null;
  return { cities, edges: covered, cityName: (city) => cityName(map, city) };
}

/** Draw the contents of the canvas again. */
const redraw = () => (map && painter ? painter.draw(withShades(map), names(map)) : false);

/**
 * Return the edges that take the place of the two given edges in a 2-opt move.
 * @param {ArrayLike<number>} ends
 */
const replacingEdges = (ends) => (ends.length === 4 ? [ends[0], ends[2], ends[1], ends[3]] : []);

/**
 * Show the cities of an instance without a tour; the same cities keep their zoom.
 * @param {Frames["instance"]} frame
 */
function showInstance(frame) {
  const again = map?.id && map.id === frame.values.sha256;
  if (!map || !again) {
    map = makeMap(frame);
    optimal = null;
    areas = [];
    lens.showWhole();
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
  [answers, letters] = [[], []];
  emit("map", map);
  if (!painter) return; // the canvas will show them
  if (!again) painter.show(map);
  redraw();
}

/**
 * Return the complete line of a tour.
 * @param {TourMap} map
 * @param {TourPicture} tour
 */
const wholeLine = (map, { order, cut }) => edges.tourLine(map.xy, order, edges.findUndrawn(map, order, cut));

/**
 * Return a tour's line, thinned where it would become a blot; of a very long one only the visible part.
 * @param {TourMap} map
 * @param {TourPicture} tour
 * @param {ReturnType<typeof makePainter>} canvas its painter
 */
function thinLine(map, tour, canvas) {
  const { order, cut } = tour;
  const [part, place] = [canvas.part(), canvas.place()];
  const scale = (part ? place?.scale : place?.fit) || 0;
  const { visible, isThinned } = compared ? WHOLE : visibleEdges(map, order, scale, part);
  partial = visible ? tour : null;
  thinned = isThinned;
  return visible ? edges.thinnedLine(map.xy, order, visible, edges.findUndrawn(map, order, cut)) : wholeLine(map, tour);
}

/**
 * Return the edges of a construction: as paths, or one by one if they have directions or form no paths.
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
 * Return the lines of a picture: that of the tour, and those of the current move.
 * @param {TourMap} map
 * @param {Picture} picture
 * @param {(tour: TourPicture) => Line} line makes the line of a tour
 */
const pictureParts = (map, picture, line) => ({
  tour: picture.order ? line(picture) : construction(map, picture),
  removed: edges.edgeLines(map.xy, picture.removed || []),
  added: edges.edgeLines(map.xy, picture.added || []),
});

/**
 * Return the lines of a picture for another canvas, with every edge of the tour, from bottom to top.
 * @param {TourMap} map
 * @param {Picture} picture
 */
const pictureLines = (map, picture) => [
  ...areas,
  ...layers(
    map,
    pictureParts(map, picture, (tour) => wholeLine(map, tour)),
  ),
];

/**
 * Draw a tour (or the edges of a construction) with the current move. Nothing is drawn before the canvas exists.
 * @param {Picture} picture
 * @returns {boolean} whether it was drawn
 */
function draw(picture) {
  if (!map || !painter?.fit()) return false;
  const [shown, canvas] = [map, painter];
  latest = picture;
  compared = sharedShown ? comparedTo(map, picture) : null;
  partial = null;
  thinned = false;
  shades = [];
  named = [];
  leaving = edges.edgeLines(map.xy, replacingEdges(picture.removed || []));
  drawn = pictureParts(map, picture, (tour) => thinLine(shown, tour, canvas));
  return redraw();
}

/**
 * Show or hide the optimal tour below.
 * @param {boolean} shown
 */
function showOptimal(shown) {
  optimalShown = shown;
  redraw();
}

/** Draw the tour's line again, with the edges that are visible now. */
function drawTourAgain() {
  if (map && latest?.order && painter?.fit()) drawn.tour = thinLine(map, latest, painter);
}

/**
 * After the map has moved on the canvas, draw the edges of a long tour that are visible now; return whether it was
 * drawn.
 */
function onMapMoved() {
  const [wasPartial, wasThinned] = [Boolean(partial), thinned];
  if (!map || map.n <= FEW || !latest?.order) return false;
  drawTourAgain();
  if (thinned !== wasThinned) emit("thinned", thinned);
  return wasPartial || partial ? redraw() : false;
}

/** Compare the drawing with the current optimal tour. */
function compareAgain() {
  compared = map && latest && sharedShown ? comparedTo(map, latest) : null;
  drawTourAgain();
  redraw();
  emit("compared", null);
}

/**
 * Distinguish the tour's edges by whether the optimal tour has them, or draw them alike again.
 * @param {boolean} shown
 */
function showShared(shown) {
  sharedShown = shown;
  compareAgain();
}

/**
 * Show areas below everything else, until another instance has areas.
 * @param {PaintedLine[]} below
 */
function layAreas(below) {
  if (!below.length && !areas.length) return;
  areas = below;
  painter?.layAreas(below);
}

/**
 * Shade parts below the tour, and name some cities, until the next picture is drawn.
 * @param {PaintedLine[]} under
 * @param {number[]} [cities]
 */
function shade(under, cities = []) {
  shades = under;
  named = cities;
  redraw();
}

/**
 * Mark a person's picks below the tour, until the next marks.
 * @param {PaintedLine[]} under
 * @param {boolean} [alone] whether to hide the last step, so that nothing else is marked
 */
function mark(under, alone = false) {
  if (!under.length && !marks.length && alone === plain) return;
  marks = under;
  plain = alone;
  redraw();
}

/**
 * Mark answers to a question to the class below the tour, and their cities or edges with letters, until the next ones.
 * @param {PaintedLine[]} under
 * @param {PlacedLetter[]} beside
 */
function letter(under, beside) {
  if (!under.length && !answers.length) return;
  [answers, letters] = [under, beside];
  redraw();
}

/** Return the lines as Plotly traces, with every edge of the tour, for a saved picture. */
function traces() {
  if (!map) return [];
  const added = drawn.removed.x.length ? text("picture.in") : text("picture.joins");
  const plain = [text("picture.optimal"), text("legend.tour"), text("picture.out"), added];
  const all = lines(map, true);
  const names = compared ? ["", "", ""].concat(plain.slice(2)) : plain; // shared edges have their own
  const named = all.map((painted, k) => ({ name: names[k], ...painted }));
  return makeTraces(map, [...areas, ...named]);
}

when(
  () => byId("tour"),
  (canvas) => {
    lens.attach(canvas);
    painter = makePainter(canvas, cities.cityStyle, lens, true, onMapMoved);
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
  layAreas,
  shade,
  mark,
  letter,
  traces,
  pictureLines,
  /** The position of the map on the canvas, null while there is no room for it. */
  place: () => painter?.place() ?? null,
  /** The factor by which lines and cities are wider than usual. */
  bold: () => painter?.bold() ?? 1,
  /** The factor by which a strip of cities is stretched to fill the canvas; 1 for most maps. */
  stretch: () => painter?.stretch() ?? 1,
  /** The last drawing; null while there are only cities. */
  picture: () => latest,
  isThinned: () => thinned,
  map: () => map,
  /** The comparison with the optimal tour; null unless shared edges are shown. */
  compared: () => compared,
  /** The cities with names on the map. */
  named: () => (map && names(map)?.cities) || [],
  /** The numbers of cities, and of points of the tour's line, on the canvas. */
  painted: () => ({ cities: painter?.fit() && map ? map.n : 0, points: drawn.tour.x.length }),
};
