/* The progress of an exact solution by layers: its plan, its state at the end of each layer, and its current state. */
import { on } from "../../common/events.js";
import { byName, clamp } from "../numbers.js";
import { run } from "../run.js";

/** @type {(keyof FrontRow)[]} */
const COLUMNS = ["layer", "subsets", "states", "transitions", "elapsed"];

/** @type {Plan | null} */
let plan = null;
/** @type {FrontRow[]} */
let ends = []; // the last reported row of each layer
/** @type {FrontRow | null} */
let now = null; // the newest row

/** @param {Float64Array} column */
const sum = (column) => column.reduce((total, value) => total + value, 0);

function reset() {
  [plan, ends, now] = [null, [], null];
}

/** @param {Frames["layers"]} frame */
function begin({ values, arrays }) {
  reset();
  plan = { ...values, ...arrays };
}

/**
 * Return the total work of all layers.
 * @returns {Work | null}
 */
function all() {
  const details = plan;
  return details && byName(["subsets", "states", "transitions"], (name) => sum(details[name]));
}

/** @param {Frames["front"]} frame */
function addRows({ arrays }) {
  for (let k = 0; k < arrays.layer.length; k += 1) {
    now = byName(COLUMNS, (name) => arrays[name][k]);
    ends[now.layer] = now;
  }
}

/**
 * Return the state of the front at the end of a layer, or its current state if the layer is unfinished; null before the
 * first report.
 * @param {number | null} layer
 */
const stateAfter = (layer) => (layer === null || layer + 1 >= run.known ? now : ends[layer] || now);

/**
 * Return the finished share of a layer's states when the front is at `row`, 0 to 1.
 * @param {number} layer
 * @param {FrontRow | null} row
 */
function finishedShare(layer, row) {
  if (!row || !plan) return 0;
  return clamp((row.states - sum(plan.states.subarray(0, layer))) / plan.states[layer], 0, 1);
}

on("layers", begin);
on("front", addRows);
on("closed", reset);
export const front = {
  stateAfter,
  finishedShare,
  plan: () => plan,
  all,
  /** The number of layers. */
  count: () => plan?.states.length ?? 0,
  /** The finished share of all work, 0 to 1. */
  share: () => (plan && now ? now.transitions / sum(plan.transitions) : 0),
};
