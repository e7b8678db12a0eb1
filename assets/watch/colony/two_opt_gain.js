/* The gain of 2-opt on the ants' tours, in words: in the current iteration, or on the best tour at the end. */
import { setText, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { history } from "./colony_history.js";

const QUARTER = 250; // milliseconds: the text changes at most four times a second

let iteration = Infinity; // the player's iteration

/**
 * Describe the gain: "331 021 → 263 100 (−20.5 %), 12.5 ms".
 * @param {ShortenedRow} row
 */
function describeGain({ before, after, milliseconds }) {
  const percent = format.percent((100 * (after - before)) / before);
  const gain =
    before === after ? text("two-opt-gain.none", { before }) : text("two-opt-gain.change", { before, after, percent });
  if (!Number.isFinite(milliseconds)) return gain;
  return text("two-opt-gain.timed", { gain, time: format.seconds(milliseconds / 1000) });
}

/** Describe the gain in the current iteration; empty if the run had no 2-opt. */
function sentence() {
  const { last } = history;
  if (last) return text("two-opt-gain.end", { gain: describeGain(last) });
  const row = history.shortened.row(iteration);
  return row ? text("two-opt-gain.mean", { iteration: row.iteration, gain: describeGain(row) }) : "";
}

/**
 * Return the tour that 2-opt made from a climb's tour at the end; null if it made none.
 * @param {Climb} climb
 */
function findShortened(climb) {
  const { best } = run;
  const { last } = history;
  if (!last || !best?.order || best.length !== last.after || last.after >= last.before) return null;
  const { order, length } = best;
  return climb.climber === best.climber && climb.lengths[climb.count] === last.before ? { order, length } : null;
}

const say = throttle(() => setText("shortened", sentence()), QUARTER);

on("view", ({ climber }) => {
  iteration = climber + 1;
  say();
});
on("log", say);
on("closed", () => {
  iteration = Infinity;
  setText("shortened", "");
});
export const shortened = { describeGain, findShortened };
