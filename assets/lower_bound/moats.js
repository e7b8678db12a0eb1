/*
 * Zones around cities and moats around sets of cities, which every tour must cross: their steps as drawings and
 * sentences.
 */
import { format } from "../common/format.js";
import { edges } from "../common/map/edges.js";
import { boundingBox, padBox } from "../common/map/map.js";
import { text } from "./texts.js";

const [EDGE, TINT] = [0.55, 0.22]; // opacity of an area's edge, which is one pixel wide, and of its interior

/** @typedef {import("./dialog.js").View} View */

/**
 * A moat, as discs around its cities: the discs of its outer edge, without the discs of its inner edge.
 * @typedef {object} Moat
 * @property {number[]} cities
 * @property {number[]} outer radii in map units
 * @property {number[]} inner
 */
/**
 * Zones and moats that prove a bound.
 * @typedef {object} Step
 * @property {number} bound
 * @property {number} zones twice the sum of the zones' radii, in units of length
 * @property {number} moats twice the sum of the moats' widths
 * @property {number[]} radii of the zones in map units
 * @property {Moat[]} rings from the outermost to the innermost
 */

/**
 * Return the steps of a `moats` frame.
 * @param {{arrays: Record<string, any>, values: Record<string, any>}} frame
 * @param {number} n
 * @returns {Step[]}
 */
export function decodeMoats({ values: { scale }, arrays: { bound, radii, first, widths, start, cities } }, n) {
  const sum = (/** @type {Float64Array} */ values) => values.reduce((a, b) => a + b, 0);
  return Array.from(bound, (height, k) => {
    const [own, wide] = [radii.subarray(n * k, n * (k + 1)), widths.subarray(first[k], first[k + 1])];
    const reach = Array.from(own, (radius) => scale * radius);
    const step = { bound: height, zones: 2 * sum(own), moats: 2 * sum(wide), radii: [...reach] };
    /** @type {Moat[]} */
    const rings = [];
    for (let moat = first[k + 1] - 1; moat >= first[k]; moat -= 1) {
      const inside = Array.from(cities.subarray(start[moat], start[moat + 1]));
      const inner = inside.map((city) => reach[city]);
      for (const city of inside) reach[city] += scale * widths[moat];
      rings.unshift({ cities: inside, outer: inside.map((city) => reach[city]), inner });
    }
    return { ...step, rings };
  });
}

/**
 * Return a map with room for the zones and moats of all steps.
 * @param {TourMap} map
 * @param {Step[]} steps
 */
function withRoom(map, steps) {
  const { xy, ratio } = map;
  const reach = Float64Array.from({ length: map.n }, (_, city) => Math.max(...steps.map(({ radii }) => radii[city])));
  for (const { rings } of steps)
    for (const { cities, outer } of rings)
      cities.forEach((city, k) => {
        reach[city] = Math.max(reach[city], outer[k]);
      });
  const ends = [1, -1].flatMap((side) => Array.from(xy, (at, k) => at + side * reach[k >> 1]));
  return { ...map, box: padBox(boundingBox(ends), ratio) };
}

/**
 * Return the lines of a step, from bottom to top: moats, each with its interior left free; zones; and the tour.
 * @param {Pick<TourMap, "xy">} map
 * @param {Step} step
 * @param {Order | null} order of the tour
 * @returns {PaintedLine[]}
 */
export function drawMoats({ xy }, { radii, rings }, order) {
  const everyone = radii.map((_, city) => city);
  /** @type {(line: Line, radii: number[], colour: string, name: string) => PaintedLine[]} */
  const area = (line, reach, colour, name) => [
    { line, colour, width: 0, alpha: EDGE, radii: reach },
    { line, colour: "panel", width: 1, radii: reach },
    { line, colour, width: 1, alpha: TINT, radii: reach, name },
  ];
  const moats = rings.flatMap(({ cities, outer, inner }, k) => {
    const line = edges.points(xy, cities);
    return [
      ...area(line, outer, "bound", k ? "" : text("legend.moat")),
      { line, colour: "panel", width: 0, radii: inner },
    ];
  });
  const tour = order ? [{ line: edges.tourLine(xy, order), colour: "tour", width: 2 }] : [];
  return [...moats, ...area(edges.points(xy, everyone), radii, "added", text("legend.zone")), ...tour];
}

/**
 * Format a length that need not be a whole number: 20 936.5.
 * @param {number} length
 */
export function decimals(length) {
  const rounded = Math.round(100 * length) / 100;
  const whole = Math.trunc(rounded);
  const rest = String(Math.round(100 * (rounded - whole)) / 100).slice(1);
  return format.integer(whole) + format.replaceMarks(rest);
}

/**
 * Return a step in words.
 * @param {Step} step
 * @param {string} place key of a sentence about the last step; empty for the others
 * @param {number | null} length of the best tour
 */
export function sentence({ bound, zones, moats, rings }, place, length) {
  const sums = { zones: decimals(zones), moats: decimals(moats), sum: decimals(zones + moats) };
  const words = text(rings.length ? "moats.step" : "moats.step.first", { ...sums, count: rings.length, bound });
  const above = length !== null && length > bound ? { length, more: length - bound } : null;
  const gap = above && text("moats.gap", { ...above, gap: format.gap(above.length, bound).slice(1) });
  const last = place === "ended" ? text("moats.ended") : place === "cut" ? text("moats.cut") : "";
  return [words, length === bound ? text("gap.none") : gap, last].filter(Boolean).join(" ");
}

/** @type {View} */
export const moats = {
  name: text("moats.name"),
  map: text("moats.map"),
  about: text("moats.about"),
  legend: { zone: text("legend.zone"), moat: text("legend.moat"), edge: text("legend.tour") },
  beat: 1000,
  read(frame, map, { best }) {
    const steps = decodeMoats(frame, map.n);
    const last = frame.values.ended ? "ended" : "cut";
    const read = steps.map((step, k) => ({
      lines: () => drawMoats(map, step, best?.order ?? null),
      says: sentence(step, k === steps.length - 1 ? last : "", best?.length ?? null),
    }));
    return { map: withRoom(map, steps), steps: read };
  },
};
