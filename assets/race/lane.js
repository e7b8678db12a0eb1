/* One lane of a race, with the data on its run that the page has received. */
import { frames } from "../common/frames.js";
import { source } from "../common/host/source.js";
import { course } from "../common/progress.js";
import { Film, lastAtMost } from "./film.js";

const FINAL = ["finished", "cancelled", "failed", "interrupted"];

export class Lane {
  /**
   * @param {string} run
   * @param {LaneView} view
   * @param {number} number
   */
  constructor(run, view, number) {
    this.run = run;
    this.view = view;
    this.number = number;
    /** @type {RunState} */
    this.state = "running";
    this.reason = "";
    this.compiling = false;
    /** @type {StartedValues | null} */
    this.started = null;
    /** @type {FinishedValues | null} */
    this.finished = null;
    this.elapsed = 0;
    this.iterations = 0;
    this.evaluations = 0;
    /** @type {Course["bests"]} */
    this.bests = [[], [], [], []];
    this.film = new Film();
    /** @type {Map<number, Int32Array>} */
    this.orders = new Map(); // orders of new best tours, by length
    this.filmed = false; // whether the film of the whole run has arrived or was requested
  }

  get over() {
    return FINAL.includes(this.state);
  }

  /** Return the last known second of the lane's clock. */
  get known() {
    return Math.max(this.elapsed, this.film.end);
  }

  /**
   * Accept a message of the run's log: the current state, and frames.
   * @param {{ state: RunState, reason: string }} message
   * @param {AnyFrame[]} frames
   */
  take({ state, reason }, frames) {
    this.state = state;
    this.reason = reason;
    for (const frame of frames) {
      if (frame.kind === "progress") course.addRows(this, frame.arrays);
      else if (frame.kind === "tour") this.orders.set(frame.values.length, frame.arrays.order);
      else if (frame.kind === "compiling") this.compiling = true;
      else if (frame.kind === "started") this.start(frame.values);
      else if (frame.kind === "finished") this.finish(frame);
    }
  }

  /** @param {StartedValues} values of a stage; only the first stage's are kept */
  start(values) {
    this.compiling = false;
    this.started ||= values;
  }

  /** @param {Frames["finished"]} frame */
  finish({ values, arrays }) {
    this.finished = values;
    const { iterations, evaluations, seconds, length } = values;
    this.orders.set(length, arrays.order);
    const elapsed = Math.max(this.elapsed, seconds);
    // the run may have ended with a tour that no row of progress contains
    course.addRows(this, { iteration: [iterations], evaluations: [evaluations], elapsed: [elapsed], best: [length] });
  }

  /** Fetch the server's recording of the run's tours. */
  async fetchFilm() {
    const answer = await source.fetchForRun(this.run, "film").catch(() => null);
    if (answer) this.film.recorded(frames.decode(answer));
  }

  /**
   * Return the best length at a moment, with its time; null before the first.
   * @param {number} seconds
   * @returns {TimedLength | null}
   */
  best(seconds) {
    const [, , at, lengths] = this.bests;
    const row = lastAtMost(at, seconds);
    return row < 0 ? null : { length: lengths[row], at: at[row] };
  }

  /**
   * Return the state at a moment: the best tour so far, the current one until the lane's end, and their lengths. A tour
   * of the film counts before it has a row of progress, or if it is shorter than that of an annealing chain's start.
   * @param {number} seconds
   * @returns {Moment}
   */
  moment(seconds) {
    const row = this.best(seconds);
    const ended = this.finished && seconds >= this.finished.seconds;
    const [seen, work] = ended && row ? [null, null] : [this.film.shortest(seconds), this.film.picture(seconds)];
    const known = this.lastKnown(seconds);
    const shown = seen && seen.length < (known?.length ?? Infinity) ? seen : known;
    const best = seen && seen.length < (row?.length ?? Infinity) ? seen : row;
    return { best, work: best === seen && seen?.number === work?.number ? null : work, order: shown?.order ?? null };
  }

  /**
   * Return the last fully known best tour up to a moment.
   * @param {number} seconds
   */
  lastKnown(seconds) {
    const [, , at, lengths] = this.bests;
    const length = lengths.findLast((length, row) => at[row] <= seconds && this.orders.has(length));
    return length === undefined ? null : { length, order: this.orders.get(length) };
  }
}
