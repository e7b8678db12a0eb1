/* The open run: its spec, instance, state, numbers and best tour, as received so far. */
import { findUnits } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { format } from "../common/format.js";
import { course } from "../common/progress.js";
import { Series } from "../common/charts/series.js";
import { text } from "./texts.js";
import { tour } from "./tour/tour.js";

const FINAL = ["finished", "cancelled", "failed", "interrupted"];
const ROWS = 8000; // maximum number of rows in the chart, evenly spaced

/**
 * Return a run without any received data; without an id there is no run.
 * @param {string | null} id
 * @returns {OpenRun}
 */
const emptyRun = (id) => ({
  id,
  spec: null,
  instance: null,
  optimum: null,
  proven: false,
  claims: false,
  proof: false,
  bound: null,
  adopted: false,
  own: true,
  state: id ? "running" : "none",
  reason: "",
  compiling: false,
  started: null,
  finished: null,
  best: null,
  known: 0,
  rows: 0,
  ...course.makeCourse(),
  spent: 0,
  finals: new Series(3, ROWS),
  clock: new Series(2, ROWS),
});

const run = emptyRun(null);

/**
 * Reset all data for the run `id`.
 * @param {string | null} id
 */
const reset = (id) => Object.assign(run, emptyRun(id));

const active = () => Boolean(run.id) && !FINAL.includes(run.state);

/**
 * Return the algorithm of the last stage, whose units the page uses.
 * @returns {RunSpec["stages"][number]}
 */
const stage = () => run.spec?.stages.at(-1) || { algorithm: "", params: {} };

const units = () => findUnits(stage().algorithm);

/**
 * Return the number of a climber as shown on the page.
 * @param {number} climber
 */
const number = (climber) => climber + units().first;

/**
 * Return the position of a climber among those up to `last`: "7 of 1 000", and "3 (0 to 3)" if they are counted from 0.
 * @param {number} climber
 * @param {number} last
 */
function place(climber, last) {
  const fromZero = units().first === 0 && last > 0;
  return text(fromZero ? "place.from-zero" : "place", { number: number(climber), last: number(last) });
}

/** Return a lower bound on the length of every tour; null if none is known. */
const lowerBound = () => run.bound?.values.length ?? null;

/**
 * Describe the quality of a length: "proven optimal", its gap to the optimum, its gap to the bound if no other
 * reference is known, or that the tour uses missing edges.
 * @param {number} length
 */
function describeQuality(length) {
  const { proof, optimum, proven, instance } = run;
  const uses = format.missingSentence(length, instance?.missing_weight ?? 0);
  const above = optimum === null ? boundGap(length) : null;
  if (!uses && above !== null) return text("worth.bound", { gap: above });
  if (uses) return proof && length === optimum ? text("worth.no-tour", { uses }) : uses;
  return proof && length === optimum ? text("worth.proven") : format.gapSentence(length, optimum, proven);
}

/**
 * Return the gap of a length above the bound, without a sign; null if none is known.
 * @param {number} length
 */
function boundGap(length) {
  const bound = lowerBound();
  return bound !== null && bound <= length ? format.gap(length, bound).slice(1) : null;
}

/** @param {number} climber */
function addClimber(climber) {
  if (climber >= run.known) run.known = climber + 1;
}

/**
 * @param {number} length
 * @param {number} climber
 * @param {Int32Array | null} order
 */
function noteLength(length, climber, order) {
  if (run.best && run.best.length <= length) return;
  run.best = { length, climber, order: order ? order.slice() : null };
  emit("best", run.best);
}

/** @param {Frames["front"] | Frames["tree"]} frame */
function claim({ values }) {
  run.claims = values.proven && Boolean(units().exact); // meaningless for other algorithms
}

/** Kinds of frames that are passed on to other modules unchanged. */
const PASSED = ["front", "tree", "colony", "shortened", "layers", "population", "individuals", "tabu"];

/**
 * The handler of each kind of frame.
 * @type {{ [Kind in keyof Frames]?: (frame: Frames[Kind]) => void }}
 */
const TAKERS = {
  compiling: () => Object.assign(run, { compiling: true }),
  started: ({ values }) => Object.assign(run, { compiling: false, started: values }),
  progress: ({ arrays }) =>
    course.addRows(run, arrays, ([, evaluations, elapsed]) => run.clock.push([evaluations, elapsed])),
  tour({ values: { climber, length }, arrays: { order } }) {
    addClimber(climber);
    noteLength(length, climber, order);
  },
  rows({ arrays }) {
    const { climber, length, evaluations } = arrays;
    for (let k = 0; k < climber.length; k += 1) {
      addClimber(climber[k]);
      noteLength(length[k], climber[k], null);
      run.rows += 1;
      run.spent += evaluations[k];
      run.finals.push([run.rows, run.spent, length[k]]);
    }
    emit("rows", arrays);
  },
  phases: ({ arrays }) => emit("phases", arrays),
  front: claim,
  tree: claim,
  finished({ values, arrays }) {
    const { seconds: elapsed, evaluations, iterations } = values;
    if (run.best?.length === values.length) run.best.order = arrays.order.slice();
    Object.assign(run, { finished: values, elapsed, evaluations, iterations });
  },
};

/**
 * Record the best length as the optimum, unless a shorter length is known.
 * @param {Best} best
 */
function prove({ length }) {
  if (run.proof || (run.optimum !== null && run.optimum < length)) return;
  Object.assign(run, { proof: true, optimum: length, proven: true });
  emit("proof", run);
}

/**
 * Store an optimum that was proven after the run was opened.
 * @param {Frames["instance"]} frame of the run's instance, with its optimum
 */
function setOptimum(frame) {
  const { optimum, proven } = frame.values;
  Object.assign(run, { instance: frame.values, optimum, proven });
  tour.learnOptimal(frame);
  emit("proof", run);
}

/** Mark the best tour as optimal once the run or the bound proves it. */
function markOptimal() {
  const { best, claims } = run;
  if (best && (claims || best.length === lowerBound())) prove(best);
}

/** @param {BoundMessage} message */
function onBound({ run: id, frame }) {
  if (id !== run.id) return;
  run.bound = frame;
  markOptimal();
  emit("bound", run);
}

/** @param {InstanceMessage} message */
function onInstance({ values, frames }) {
  const again = run.instance !== null;
  const { spec, state, reason, adopted, own } = values;
  Object.assign(run, { spec, state, reason, adopted, own });
  if (!again) {
    const [{ values: instance }] = frames;
    Object.assign(run, { instance, optimum: instance.optimum, proven: instance.proven });
    tour.showInstance(frames[0]);
  }
  emit(again ? "state" : "opened", run);
}

/** @param {LogMessage} message */
function onLog({ values, frames }) {
  const before = run.state;
  run.state = values.state; // the state is current, whereas events describe the run's past
  run.reason = values.reason;
  for (const frame of frames) {
    /** @type {((frame: AnyFrame) => void) | undefined} */ (TAKERS[frame.kind])?.(frame);
    if (PASSED.includes(frame.kind)) emit(/** @type {"tree"} */ (frame.kind), /** @type {any} */ (frame));
  }
  markOptimal();
  emit("pictured", values.fields);
  if (run.state !== before) emit("state", run);
  emit("log", run);
}

on("instance", onInstance);
on("log-message", onLog);
on("bound-message", onBound);
const whole = Object.assign(run, {
  reset,
  active,
  stage,
  units,
  number,
  place,
  describeQuality,
  lowerBound,
  boundGap,
  addClimber,
  setOptimum,
});
export { whole as run };
