/* The run that is open, as far as the page has been told: its spec, instance, state, numbers and best tour. */
import { unitsOf } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { format } from "../common/format.js";
import { course } from "../common/progress.js";
import { Series } from "../common/charts/series.js";
import { tour } from "./tour/tour.js";

const FINAL = ["finished", "cancelled", "failed", "interrupted"];
const ROWS = 8000; // rows that the chart keeps, evenly

const run = { id: null };

/** Forget the last run; the next one is `id`. */
function reset(id) {
  Object.assign(run, {
    id,
    spec: null,
    instance: null,
    optimum: null,
    proven: false,
    claims: false, // whether the run says that it has proven its best tour the shortest
    proof: false, // whether it has, as far as anybody knows
    adopted: false, // whether it came as a file, whose proofs are not believed
    state: id ? "running" : "none",
    reason: "",
    compiling: false,
    started: null,
    finished: null,
    best: null, // {length, climber, order}
    known: 0, // climbers that are known to be there: 0 to known - 1
    rows: 0, // climbers that have finished
    ...course.fresh(),
    spent: 0, // evaluations of the climbers that have finished
    finals: new Series(3, ROWS), // of finished climbers: how many by then, evaluations by then, length
    clock: new Series(2, ROWS), // evaluations, elapsed
  });
}

const active = () => Boolean(run.id) && !FINAL.includes(run.state);

/** The algorithm of the last stage, whose words the page uses. */
function stage() {
  return run.spec ? run.spec.stages[run.spec.stages.length - 1] : { algorithm: "", params: {} };
}

const units = () => unitsOf(stage().algorithm);

/** The number of a climber as the page counts them. */
const number = (climber) => climber + units().first;

/** Which of the climbers up to `last` one is: "7 of 1 000", and "3 of 0 to 3" where they are counted from 0. */
function place(climber, last) {
  const { integer } = format;
  const from = units().first === 0 && last > 0 ? "0 to " : "";
  return `${integer(number(climber))} of ${from}${integer(number(last))}`;
}

/** What a length is worth: "proven optimal", or how far it lies above the optimum. */
function worth(length) {
  const { proof, optimum, proven } = run;
  return proof && length === optimum ? "proven optimal" : format.gapSentence(length, optimum, proven);
}

function know(climber) {
  if (climber >= run.known) run.known = climber + 1;
}

function seen(length, climber, order) {
  if (run.best && run.best.length <= length) return;
  run.best = { length, climber, order: order ? order.slice() : null };
  emit("best", run.best);
}

const take = {
  compiling() {
    run.compiling = true;
  },
  started({ values }) {
    run.compiling = false;
    run.started = values;
  },
  progress({ arrays }) {
    course.take(run, arrays, ([, evaluations, elapsed]) => run.clock.push([evaluations, elapsed]));
  },
  tour({ values, arrays }) {
    know(values.climber);
    seen(values.length, values.climber, arrays.order);
  },
  rows({ arrays }) {
    const { climber, length, evaluations } = arrays;
    for (let k = 0; k < climber.length; k += 1) {
      know(climber[k]);
      seen(length[k], climber[k], null);
      run.rows += 1;
      run.spent += evaluations[k];
      run.finals.push([run.rows, run.spent, length[k]]);
    }
    emit("rows", arrays);
  },
  colony(frame) {
    emit("colony", frame);
  },
  phases({ arrays }) {
    emit("phases", arrays);
  },
  shortened(frame) {
    emit("shortened", frame);
  },
  layers(frame) {
    emit("layers", frame);
  },
  front(frame) {
    run.claims = frame.values.proven && Boolean(units().exact); // of any other algorithm it says nothing
    emit("front", frame);
  },
  finished({ values, arrays }) {
    run.finished = values;
    if (run.best && run.best.length === values.length) run.best.order = arrays.order.slice();
    Object.assign(run, { elapsed: values.seconds, evaluations: values.evaluations, iterations: values.iterations });
  },
};

/** The best length is the optimum, unless a shorter one is known. */
function prove() {
  if (run.proof || (run.optimum && run.optimum < run.best.length)) return;
  Object.assign(run, { proof: true, optimum: run.best.length, proven: true });
  emit("proof", run);
}

function onInstance({ values, frames }) {
  const again = run.instance !== null;
  const { spec, state, reason, adopted } = values;
  Object.assign(run, { spec, state, reason, adopted });
  if (!again) {
    const { optimum, proven } = frames[0].values;
    Object.assign(run, { instance: frames[0].values, optimum, proven });
    tour.showInstance(frames[0]);
  }
  emit(again ? "state" : "opened", run);
}

function onLog({ values, frames }) {
  const before = run.state;
  Object.assign(run, { state: values.state, reason: values.reason }); // what events say of it is history
  for (const frame of frames) if (take[frame.kind]) take[frame.kind](frame);
  if (run.claims && run.best) prove();
  emit("pictured", values.fields);
  if (run.state !== before) emit("state", run);
  emit("log", run);
}

reset(null);
on("instance", onInstance);
on("log-message", onLog);
export { run };
Object.assign(run, { reset, active, stage, units, number, place, worth, know });
