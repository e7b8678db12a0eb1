/* The run's data as properties of Dash's stores, at most twice a second, for the panels. */
import { setProps } from "../common/callbacks.js";
import { throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { run } from "./run.js";

const HALF = 500; // milliseconds between updates: each keeps the page busy for 18 ms, and a picture comes every 33 ms
const MOST = 2000; // maximum number of rows in an update; the newest are kept

/** @type {(keyof RowsArrays)[]} */
const COLUMNS = ["climber", "length", "moves", "evaluations", "seconds"];

/** @type {Record<string, number[]>} */
let rows = {}; // the newest rows that the store does not have yet
let count = 0; // number of all rows
/** @type {FieldPicture | null} */
let visible = null;

/** @type {Map<string, unknown> | null} */
let pending = null; // updates held back until the first picture of a run

/**
 * @param {string} store
 * @param {unknown} data
 */
function setStore(store, data) {
  if (pending) pending.set(store, data);
  else setProps(store, { data });
}

/** Hold updates back while a started run has no picture yet, since drawing it comes first. */
function holdBack() {
  pending ||= new Map();
}

/** Send the updates that were held back, rows in one batch. */
function release() {
  const all = pending || [];
  pending = null;
  for (const [store, data] of all) setStore(store, data);
}

/** Return the best length so far: of the finished climbers, or else of the first climber up to now; null before any. */
const best = () => run.best?.length ?? run.bests[3].at(-1) ?? null;

const progress = throttle(() => {
  const { id, state, iterations, evaluations, elapsed, optimum, proof, proven, instance } = run;
  const length = best();
  const lacks = length !== null && format.missingSentence(length, instance?.missing_weight ?? 0);
  const gap = length === null || lacks ? null : format.gapPercent(length, optimum);
  const bound = run.lowerBound();
  const bounded = length !== null && !lacks && bound !== null && bound <= length ? bound : null;
  const reference = length === null || lacks ? null : (optimum ?? bounded);
  /** @type {RunProgress} */
  const data = {
    ...{ run: id, state, iterations, evaluations, seconds: elapsed, best: length, optimum, gap, proof, proven },
    ...{ bound, bound_gap: bounded === null ? null : format.gapPercent(length ?? 0, bounded), reference },
  };
  setStore("progress", data);
}, HALF);

const flush = throttle(() => {
  if (!rows.climber?.length) return;
  setStore("rows", { run: run.id, first: count - rows.climber.length, ...rows });
  rows = {};
}, HALF);

/** @param {RowsArrays} arrays */
function onRows(arrays) {
  for (const name of COLUMNS) rows[name] = [...(rows[name] || []), ...arrays[name].slice(-MOST)].slice(-MOST);
  count += arrays.climber.length;
  flush();
}

const picture = throttle(() => {
  if (!visible) return;
  const { iteration, low, high } = visible.field.values;
  const lengths = visible.ants?.arrays.lengths;
  const ants = lengths ? { shortest: Math.min(...lengths), longest: Math.max(...lengths) } : null;
  setStore("picture", { run: run.id, iteration, low, high, ants });
}, HALF);

/** Reset for another run, or none. */
function reset() {
  const before = { rows: count > 0, picture: visible !== null };
  [rows, count, visible] = [{}, 0, null];
  if (before.rows) setStore("rows", null);
  if (before.picture) setStore("picture", null);
  progress();
}

on(["log", "state", "opened", "proof", "bound"], progress);
on("rows", onRows);
on("picture", (now) => {
  visible = now;
  picture();
});
on("closed", reset);
export const stores = { holdBack, release };
