/* Runs of the site's own solvers, recorded in the format that the embedded player reads (`assets/embed/types.d.ts`). */
import { tourLength } from "../common/map/lengths.js";
import { encode, pack } from "./encode.js";
import { anneal } from "./solve/annealing.js";
import { distanceMatrix } from "./solve/distances.js";
import { randomTour } from "./solve/random.js";
import { climb } from "./solve/two_opt.js";

const SLICE = 12; // milliseconds of work between two pictures

/**
 * Climb by 2-opt from the random tour of a climber.
 * @param {TourMap} map
 * @param {Int32Array} far
 * @param {number} seed
 * @param {number} climber
 * @returns {Generator<number, SiteClimb>}
 */
function* climbOnce(map, far, seed, climber) {
  const order = randomTour(seed, climber, map.n);
  const start = order.slice();
  const begins = tourLength(map, start, true);
  /** @type {SiteClimb["moves"]} */
  const moves = { i: [], j: [], delta: [] };
  const climbing = climb(far, order);
  let length = begins;
  for (;;) {
    const { done, value } = climbing.next();
    if (done) return { start, begins, order, length, moves, evaluations: value };
    moves.i.push(value.i);
    moves.j.push(value.j);
    moves.delta.push(value.delta);
    length += value.delta;
    yield 0;
  }
}

/**
 * Solve a run of a lesson, a slice at a time; `tell` is called with the finished share.
 * @param {TourMap} map
 * @param {SiteRun} run
 * @param {(share: number) => void} tell
 */
export async function solve(map, { algorithm, params, seed }, tell) {
  const far = distanceMatrix(map);
  const at = /** @type {Float64Array} */ (map.measure.coordinates);
  const annealing = algorithm === "simulated-annealing";
  const count = annealing ? params.chains : params.climbers;
  /** @type {SiteClimb[]} */
  const climbs = [];
  const began = performance.now();
  let due = began + SLICE;
  while (climbs.length < count) {
    const climber = climbs.length;
    const work = annealing
      ? anneal(far, at, /** @type {any} */ (params), seed, climber)
      : climbOnce(map, far, seed, climber);
    for (;;) {
      const { done, value } = work.next();
      if (done) climbs.push({ ...value, at: (performance.now() - began) / 1000 });
      if (performance.now() > due) {
        tell((climbs.length + (done ? 0 : Number(value))) / count);
        await new Promise((resolve) => window.setTimeout(resolve));
        due = performance.now() + SLICE;
      }
      if (done) break;
    }
  }
  return climbs;
}

/**
 * Return the rows of progress in which the best length fell, and the last row.
 * @param {SiteClimb[]} climbs
 */
function course(climbs) {
  /** @type {number[][]} */
  const rows = [];
  let [best, evaluations] = [Infinity, 0];
  climbs.forEach(({ length, at = 0, evaluations: own }, climber) => {
    evaluations += own;
    if (length >= best && climber < climbs.length - 1) return;
    best = Math.min(best, length);
    rows.push([climber + 1, evaluations, at, best, length, length]);
  });
  const names = ["iteration", "evaluations", "elapsed", "best", "current", "mean"];
  return Object.fromEntries(names.map((name, k) => [name, Float64Array.from(rows, (row) => row[k])]));
}

/** @param {SiteClimb} climbed */
function climbFrame({ start, begins, moves }, /** @type {number} */ climber) {
  const values = { climber, walk: "moves", complete: true, length: begins };
  const { i, j, delta, step, control } = moves;
  /** @type {Record<string, Int32Array | Float64Array>} */
  const arrays = { i: Int32Array.from(i), j: Int32Array.from(j), delta: Int32Array.from(delta) };
  if (step && control) Object.assign(arrays, { step: Float64Array.from(step), control: Float64Array.from(control) });
  return encode("climb", values, { ...arrays, at: Int32Array.of(0), tours: start }, { tours: [1, start.length] }, true);
}

/**
 * Return the events of a run that has ended.
 * @param {SiteRun} run
 * @param {SiteClimb[]} climbs
 */
function events({ algorithm }, climbs) {
  const best = climbs.reduce((one, each, climber) => (each.length < climbs[one].length ? climber : one), 0);
  const [{ order, length, at: found = 0 }, { at: seconds = 0 }] = [climbs[best], climbs[climbs.length - 1]];
  const evaluations = climbs.reduce((sum, climb) => sum + climb.evaluations, 0);
  const device = { device: "", threads: 1, compile_seconds: 0 };
  const totals = { length, iterations: climbs.length, evaluations, seconds, seconds_to_best: found };
  return [
    encode("progress", {}, course(climbs), {}, true),
    encode("tour", { length, climber: best }, { order }, {}, true),
    encode("started", { algorithm, variant: "", ...device, repeatable: true }, {}),
    encode("finished", { ...totals, stop_reason: "completed", ...device, versions: {} }, { order }, {}, true),
  ];
}

/**
 * Pack the climbs of a run for the player's `show`; without climbs, the run has not begun.
 * @param {SiteInstance} instance
 * @param {SiteRun} run
 * @param {SiteClimb[]} climbs
 */
export async function record(instance, run, climbs) {
  const shapes = { coordinates: [instance.values.n, 2], display: [instance.values.n, 2] };
  const frame = encode("instance", instance.values, arraysOf(instance), shapes, true);
  const named = await Promise.all([
    pack([frame, ...(climbs.length ? events(run, climbs) : [])]),
    ...climbs.map((each, climber) => pack([climbFrame(each, climber)])),
  ]);
  /** @type {Embedded["parts"]} */
  const parts = {};
  let size = 0;
  named.forEach((part, k) => {
    parts[k ? `climbs/${k - 1}` : "head"] = [size, part.length];
    size += part.length;
  });
  const bytes = new Uint8Array(size);
  named.forEach((part, k) => {
    bytes.set(part, parts[k ? `climbs/${k - 1}` : "head"][0]);
  });
  const { algorithm, params, seed, units } = run;
  const spec = { instance: {}, stages: [{ algorithm, params }], seed, device: "cpu", budget: {} };
  const counts = { climbers: climbs.length, held: climbs.length, last: climbs.length - 1, fields: [] };
  const meta = { id: "site", spec, state: "finished", reason: "completed", adopted: false, ...counts };
  return { embedded: /** @type {Embedded} */ ({ run: meta, units: { [algorithm]: units }, parts }), bytes };
}

/**
 * Return the arrays of an instance's frame.
 * @param {SiteInstance} instance
 */
export function arraysOf({ arrays: { coordinates, display, optimal_tour: optimal } }) {
  const places = { coordinates: Float64Array.from(coordinates), display: Float64Array.from(display) };
  return optimal ? { ...places, optimal_tour: Int32Array.from(optimal) } : places;
}
