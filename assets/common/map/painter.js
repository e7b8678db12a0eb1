/*
 * Paints maps on a canvas: cities, and lines through them. Plotly takes 13 ms for each change to a tour on two busy
 * cores, and a quarter of a second for the first; a canvas takes less than one.
 */
import { visiblePart, placeMap, stripStretch } from "./map.js";
import { colour } from "../dom.js";
import { on } from "../events.js";
import { discs, heads, preparePen, stroke, fillUnion } from "./canvas.js";
import { cities } from "./cities.js";
import { paintLand } from "./coastlines.js";
import { acrossDateLine } from "./date_line.js";
import { paintNames } from "./names.js";

const FULL = 480; // size in pixels of a space in which cities are as large as on the page
const CORNERS = 72; // number of corners of a disc's polygon
const ACROSS = 900; // approximate width of a saved picture in pixels
const HEAD = 5; // pixels of an arrowhead, in addition to the line's width

/**
 * Paint lines at the place of their map, from the lowest to the highest.
 * @param {CanvasRenderingContext2D} pen
 * @param {PaintedLine[]} lines
 * @param {Place} place
 * @param {number} [bold] factor for their width
 */
function strokeAll(pen, lines, place, bold = 1) {
  pen.lineJoin = "round";
  for (const one of lines) {
    const {
      line,
      colour: hue,
      width: thick,
      alpha = 1,
      dash = [],
      apart = false,
      arrows = false,
      dots = 0,
      radii,
    } = one;
    if (!line.x.length) continue;
    const lineCap = apart ? "round" : "butt";
    Object.assign(pen, { strokeStyle: colour(hue), lineWidth: bold * thick, globalAlpha: alpha, lineCap });
    pen.setLineDash(dash.map((length) => bold * length));
    if (radii) fillUnion(pen, line, place, radii, bold * thick);
    else if (dots) discs(pen, line, place, bold * dots);
    else stroke(pen, line, place, apart);
    if (arrows) heads(pen, line, place, bold * (HEAD + 2 * thick));
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/**
 * Return the lines of a map; those on a globe are cut at the date line.
 * @param {TourMap | null} map
 * @param {PaintedLine[]} lines
 */
export const linesOn = (map, lines) =>
  map?.globe ? lines.map((one) => (one.dots || one.radii ? one : { ...one, line: acrossDateLine(one.line) })) : lines;

/**
 * Paint a whole map into a space at the pen's origin: the land of a globe, lines, and cities above the lines (small
 * dots below them). Cities are smaller in a small space.
 * @param {CanvasRenderingContext2D} pen
 * @param {TourMap} map
 * @param {PaintedLine[]} lines
 * @param {CityLook} look
 * @param {Room} room
 */
export function paintWhole(pen, map, lines, look, { width, height }) {
  const place = placeMap(map, width, height);
  pen.save();
  if (map.globe) {
    pen.beginPath();
    pen.rect(0, 0, width, height); // other maps may lie beside it
    pen.clip();
    paintLand(pen, map, place, { width, height });
  }
  const share = Math.min(1, Math.sqrt(width * height) / FULL);
  const smaller = { size: share * look.size, ring: share * look.ring };
  const paintCities = () => cities.paint(pen, map, place, smaller);
  const paintLines = () => strokeAll(pen, linesOn(map, lines), place);
  const [first, second] = cities.lieBelow(map, place, smaller) ? [paintCities, paintLines] : [paintLines, paintCities];
  first();
  second();
  pen.restore();
}

/**
 * Make the painter of a canvas, whose size is set by the style sheet.
 * @param {HTMLCanvasElement} canvas
 * @param {(map: TourMap, width: number, height: number) => CityLook} looks style of cities for the canvas's width and
 * height, as in `cities.js`
 * @param {Lens} [lens] lens through which the map is seen; without one, the whole map is shown
 * @param {boolean} [fills] whether a strip of cities is stretched to fill the canvas
 * @param {() => boolean} [moved] called when the map has moved because the size or the lens changed; may draw other
 * lines, and returns whether it did
 */
export function makePainter(canvas, looks, lens, fills = false, moved = () => false) {
  /** @type {TourMap | null} */
  let map = null;
  /** @type {Place | null} */
  let place = null;
  /** @type {HTMLCanvasElement | null} */
  let backdrop = null; // the painted cities
  /** @type {HTMLCanvasElement | null} */
  let ground = null; // the painted land of a map of the globe, and the areas below everything else
  /** @type {PaintedLine[]} */
  let areas = [];
  /** @type {PaintedLine[]} */
  let lines = [];
  let pending = 0;
  let stretch = 1;
  let bold = 1; // factor for lines and cities, like that of the type in presentation mode
  /** @type {CityNames | null} */
  let names = null; // the names beside cities

  /**
   * @param {TourMap} map
   * @param {number} width
   * @param {number} height
   * @returns {CityLook}
   */
  function look(map, width, height) {
    const { size, ring } = looks(map, width, height);
    return { size: bold * size, ring: bold * ring };
  }

  const hasGround = () => Boolean(map?.globe || areas.length);

  /** Paint all cities, once for each size of the canvas, position of the lens, and theme. */
  function measure() {
    const { clientWidth: width, clientHeight: height } = canvas;
    bold = Number(getComputedStyle(canvas).getPropertyValue("--shown")) || 1;
    stretch = fills && width && height && map ? stripStretch(map, width, height) : 1;
    place = width && height && map ? placeMap(map, width, height, lens, stretch) : null;
    if (!map || !place) return;
    backdrop ||= document.createElement("canvas");
    if (hasGround()) {
      ground ||= document.createElement("canvas");
      const pen = preparePen(ground, width, height);
      if (map.globe) paintLand(pen, map, place, { width, height });
      strokeAll(pen, areas, place, bold);
    }
    cities.paint(preparePen(backdrop, width, height), map, place, looks(map, width, height));
  }

  function paint() {
    if (!place || !backdrop) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const pen = preparePen(canvas, width, height);
    if (ground && hasGround()) pen.drawImage(ground, 0, 0, width, height);
    const isBelow = map && cities.lieBelow(map, place, look(map, width, height));
    if (isBelow) pen.drawImage(backdrop, 0, 0, width, height);
    strokeAll(pen, lines, place, bold);
    if (!isBelow) pen.drawImage(backdrop, 0, 0, width, height);
    if (names && map) {
      pen.font = getComputedStyle(canvas).font;
      const radius = look(map, width, height).size / 2;
      const below = lines.filter(({ colour: hue }) => hue !== "optimal").map(({ line }) => line);
      paintNames(pen, { map, place, width, height, radius, lines: below, ...names }, names.cityName, names.letters);
    }
  }

  function renew() {
    pending = 0;
    measure();
    if (!moved()) paint();
  }

  /** Return the visible part of the map; null if all of it is visible. */
  function part() {
    const isWhole = !lens || (lens.scale === 1 && !lens.x && !lens.y);
    return !place || isWhole ? null : visiblePart(place, canvas.clientWidth, canvas.clientHeight);
  }

  /**
   * Show the cities of a map without a tour.
   * @param {TourMap} other
   */
  function show(other) {
    map = other;
    lines = [];
    areas = [];
    names = null;
    renew();
  }

  /**
   * Show areas below everything else; they are painted as rarely as the cities.
   * @param {PaintedLine[]} others
   */
  function layAreas(others) {
    areas = others;
    renew();
  }

  /**
   * Show lines from the lowest to the highest; return whether there was room for them.
   * @param {PaintedLine[]} others
   * @param {CityNames | null} [beside] names of some cities
   */
  function draw(others, beside = null) {
    lines = linesOn(map, others);
    names = beside;
    paint();
    return Boolean(place);
  }

  new ResizeObserver(renew).observe(canvas);
  on("theme", renew);
  on("land", () => map?.globe && renew());
  if (lens) on("lens", () => (pending ||= window.requestAnimationFrame(renew)));
  return {
    show,
    draw,
    layAreas,
    part,
    place: () => place,
    fit: () => (place ? place.fit : 0),
    stretch: () => stretch,
    bold: () => bold,
  };
}

/**
 * Return the discs as the polygons of a Plotly trace.
 * @param {Line} line their centres
 * @param {ArrayLike<number>} radii
 * @param {number} less by which each radius is reduced
 * @returns {{ x: number[], y: number[] }}
 */
function polygons(line, radii, less) {
  /** @type {{ x: number[], y: number[] }} */
  const drawn = { x: [], y: [] };
  for (let k = 0; k < radii.length; k += 1) {
    const radius = radii[k] - less;
    if (radius <= 0) continue;
    for (let corner = 0; corner <= CORNERS; corner += 1) {
      const angle = (2 * Math.PI * corner) / CORNERS;
      drawn.x.push(line.x[k] + radius * Math.cos(angle));
      drawn.y.push(line.y[k] + radius * Math.sin(angle));
    }
    drawn.x.push(NaN);
    drawn.y.push(NaN);
  }
  return drawn;
}

/**
 * Make the lines of a map as Plotly traces, for a saved picture.
 * @param {TourMap | null} map
 * @param {PaintedLine[]} lines
 */
export const makeTraces = (map, lines) =>
  linesOn(map, lines).map(({ line: { x, y }, colour: hue, width, name, alpha = 1, dash, arrows = false, radii }) => ({
    type: "scatter",
    name,
    showlegend: Boolean(name && x.length),
    mode: arrows ? "lines+markers" : "lines",
    marker: { symbol: "arrow", angleref: "previous", standoff: HEAD, size: HEAD + 2 * width, color: colour(hue) },
    ...(radii
      ? { ...polygons({ x, y }, radii, (width * (map ? map.box.x1 - map.box.x0 : 0)) / ACROSS), fill: "toself" }
      : { x, y, fill: "none" }),
    fillcolor: colour(hue),
    opacity: alpha,
    line: {
      color: colour(hue),
      width: radii ? 0 : width,
      dash: dash ? dash.map((length) => `${length}px`).join() : "solid",
    },
  }));
