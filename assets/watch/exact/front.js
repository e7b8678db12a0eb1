/* How far an exact solution by layers has come: what it is to do, where it stood at the end of each layer, and now. */
import { on } from "../../common/events.js";
import { run } from "../run.js";

const COLUMNS = ["layer", "subsets", "states", "transitions", "elapsed"];

let plan = null; // {inner, outer, item, memory, subsets, states, transitions, bytes, cities, ...}
let before = []; // states of all layers below each
let all = null; // sums over the layers
let ends = []; // by layer: the last row that was told of it
let now = null; // the newest row

const sum = (column) => column.reduce((total, value) => total + value, 0);

function reset() {
  [plan, before, all, ends, now] = [null, [], null, [], null];
}

function begin({ values, arrays }) {
  reset();
  plan = { ...values, ...arrays };
  all = Object.fromEntries(["subsets", "states", "transitions"].map((name) => [name, sum(plan[name])]));
  plan.states.reduce((total, states, layer) => {
    before[layer] = total;
    return total + states;
  }, 0);
}

function take({ arrays }) {
  for (let k = 0; k < arrays.layer.length; k += 1) {
    now = Object.fromEntries(COLUMNS.map((name) => [name, arrays[name][k]]));
    ends[now.layer] = now;
  }
}

/** Where the front stood at the end of a layer; for one that is not done where it is now; null before it is told. */
function at(layer) {
  return layer === null || layer + 1 >= run.known ? now : ends[layer] || now;
}

/** The share of a layer's states that are done when the front stands as `row` says, 0 to 1. */
function done(layer, row) {
  if (!row) return 0;
  return Math.min(1, Math.max(0, (row.states - before[layer]) / plan.states[layer]));
}

on("layers", begin);
on("front", take);
on("closed", reset);
export const front = {
  at,
  done,
  plan: () => plan,
  all: () => all,
  /** How many layers there are, 0 where there are none. */
  count: () => (plan ? plan.states.length : 0),
  /** The share of all work that is done, 0 to 1. */
  share: () => (all && now ? now.transitions / all.transitions : 0),
};
