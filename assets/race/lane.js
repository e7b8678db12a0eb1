/* One lane of a race, as far as the page has been told of its run. */
import { basePath } from "../common/dom.js";
import { frames } from "../common/frames.js";
import { course } from "../common/progress.js";
import { Film, lastAtMost } from "./film.js";

const FINAL = ["finished", "cancelled", "failed", "interrupted"];

class Lane {
  /** @param {Object} view what `components/race/lanes.py` says of it: letter, title, facts, colour, dash, units */
  constructor(run, view, number) {
    Object.assign(this, {
      run,
      view,
      number,
      state: "running",
      reason: "",
      compiling: false,
      started: null,
      finished: null,
    });
    Object.assign(this, course.fresh());
    this.film = new Film();
    this.orders = new Map(); // length -> tour, of new bests
    this.filmed = false; // whether the film of the whole run is here, or on its way
  }

  get over() {
    return FINAL.includes(this.state);
  }

  /** Up to which second of its clock the lane is known. */
  get known() {
    return Math.max(this.elapsed, this.film.end);
  }

  /** Take a message of the run's log: the state as it is now, and frames. */
  take({ state, reason }, frames) {
    Object.assign(this, { state, reason });
    for (const { kind, values, arrays } of frames) {
      if (kind === "progress") course.take(this, arrays);
      else if (kind === "tour") this.orders.set(values.length, arrays.order);
      else if (kind === "compiling") this.compiling = true;
      else if (kind === "started") Object.assign(this, { compiling: false, started: this.started || values });
      else if (kind === "finished") this.finish(values, arrays);
    }
  }

  finish(values, { order }) {
    this.finished = values;
    this.orders.set(values.length, order);
    const { elapsed } = this;
    Object.assign(this, {
      elapsed: Math.max(elapsed, values.seconds),
      iterations: values.iterations,
      evaluations: values.evaluations,
    });
    const lengths = this.bests[3];
    const last = lengths.length ? lengths[lengths.length - 1] : Infinity;
    if (values.length >= last) return; // else the run was cut at a tour that no row tells
    [values.iterations, values.evaluations, values.seconds, values.length].forEach((value, k) =>
      this.bests[k].push(value),
    );
  }

  /** Fetch what the server has recorded of the run's tours. */
  async fetchFilm() {
    const answer = await fetch(`${basePath()}runs/${this.run}/film`).catch(() => null);
    if (answer?.ok) this.film.recorded(frames.decode(await answer.arrayBuffer()));
  }

  /** The best length at a moment, when it was reached, and its tour if that is known; null before the first. */
  best(seconds) {
    const [, , at, lengths] = this.bests;
    const row = lastAtMost(at, seconds);
    if (row < 0) return null;
    return { length: lengths[row], at: at[row], order: this.orders.get(lengths[row]) || null };
  }

  /** What is to be seen at a moment: the best tour so far, and the one that the lane is at; lengths with them. */
  moment(seconds) {
    const best = this.best(seconds);
    const work = this.film.picture(seconds);
    if (!best) return { best: work, work: null, order: work ? work.order : null };
    // within the first climb the best tour is the one that it is at
    return { best, work, order: best.order || this.lastOrder(seconds) || work?.order };
  }

  /** The last best tour at or before a moment that is known as a whole. */
  lastOrder(seconds) {
    const [, , at, lengths] = this.bests;
    for (let row = lastAtMost(at, seconds); row >= 0; row -= 1) {
      const order = this.orders.get(lengths[row]);
      if (order) return order;
    }
    return null;
  }
}

export { Lane };
