/* One recorded climb, which can be walked forwards and backwards, and from which any of its tours can be had. */
/** Reverse order[from..to], both included, in place. */
function reverse(order, from, to) {
  for (let a = from, b = to; a < b; a += 1, b -= 1) {
    const city = order[a];
    order[a] = order[b];
    order[b] = city;
  }
}

/** A climb by 2-opt moves: start tour, moves, and whole tours on the way (`solvers.events.Moves`). */
class Moves {
  constructor({ values, arrays, shapes, size }) {
    Object.assign(this, { walk: "moves", climber: values.climber, complete: values.complete, bytes: size });
    Object.assign(this, { i: arrays.i, j: arrays.j, delta: arrays.delta, at: arrays.at, tours: arrays.tours });
    this.count = this.i.length;
    this.n = shapes.tours[1];
    this.lengths = new Float64Array(this.count + 1);
    this.lengths[0] = values.length;
    for (let k = 0; k < this.count; k += 1) this.lengths[k + 1] = this.lengths[k] + this.delta[k];
    this.order = new Int32Array(this.n);
    this.jump(0);
  }

  /** Stand at the last whole tour at or before `position`. */
  jump(position) {
    let row = 0;
    while (row + 1 < this.at.length && this.at[row + 1] <= position) row += 1;
    this.order.set(this.tours.subarray(row * this.n, (row + 1) * this.n));
    this.position = this.at[row];
  }

  /** The nearest whole tour's distance from `position`, in moves. */
  reach(position) {
    let best = Infinity;
    for (const at of this.at) if (at <= position) best = Math.min(best, position - at);
    return best;
  }

  /** The tour after `position` moves: one array, which the next call changes. */
  seek(position) {
    if (this.reach(position) < Math.abs(position - this.position)) this.jump(position);
    while (this.position < position) {
      reverse(this.order, this.i[this.position] + 1, this.j[this.position]);
      this.position += 1;
    }
    while (this.position > position) {
      this.position -= 1;
      reverse(this.order, this.i[this.position] + 1, this.j[this.position]);
    }
    return this.order;
  }
}

/** A construction: edges in the order in which they were chosen (`solvers.events.Edges`). */
class Edges {
  constructor({ values, arrays, size }) {
    Object.assign(this, { walk: "edges", climber: values.climber, complete: values.complete, bytes: size });
    Object.assign(this, { edges: arrays.edges, delta: arrays.delta });
    this.count = this.delta.length;
    this.lengths = new Float64Array(this.count + 1);
    for (let k = 0; k < this.count; k += 1) this.lengths[k + 1] = this.lengths[k] + this.delta[k];
  }
}

/** The climb that a `climb` frame holds. */
function climbOf(frame) {
  return frame.values.walk === "edges" ? new Edges(frame) : new Moves(frame);
}

export { climbOf };
