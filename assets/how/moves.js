/*
 * The thread that evaluates each move (i, j) of a tour of n cities, step by step, as in the kernels of 2-opt
 * (`solvers/algorithms/two_opt/kernels/`). A step is the simultaneous work of all threads of a block.
 */

/** @typedef {Look[][]} Steps */

/**
 * Return all moves in the order of their numbers: `block_pairs_cuda.pair_from_table`.
 * @param {number} n
 */
function listMoves(n) {
  const moves = [];
  for (let i = 0; i + 2 < n; i++) for (let j = i + 2; j < n; j++) moves.push({ i, j });
  return moves;
}

/**
 * Give each thread a climber: all threads evaluate the same move, each in its own tour (`thread_cuda._build_one_row`).
 * @param {number} n
 * @param {number} threads
 * @returns {Steps}
 */
const perThread = (n, threads) =>
  listMoves(n).map(({ i, j }) => Array.from({ length: threads }, (_, thread) => ({ thread, i, j })));

/**
 * Distribute rows i over the threads, with j ascending (`block_rows_cuda._intra_scan`); a warp waits for its longest
 * row.
 * @param {number} n
 * @param {number} threads
 * @returns {Steps}
 */
function rowsForwards(n, threads) {
  const steps = [];
  for (let first = 0; first + 2 < n; first += threads) {
    for (let k = 0; first + 2 + k < n; k++) {
      const looks = [];
      for (let thread = 0; thread < threads; thread++) {
        const i = first + thread;
        if (i + 2 + k < n) looks.push({ thread, i, j: i + 2 + k });
      }
      steps.push(looks);
    }
  }
  return steps;
}

/**
 * Distribute rows i over the threads, with j descending, so that all are at the same j (`block_rows_cuda._tile_scan`).
 * @param {number} n
 * @param {number} threads
 * @returns {Steps}
 */
function rowsBackwards(n, threads) {
  const steps = [];
  for (let first = 0; first + 2 < n; first += threads) {
    for (let j = n - 1; j >= first + 2; j--) {
      const looks = [];
      for (let thread = 0; thread < threads; thread++) {
        if (first + thread + 2 <= j) looks.push({ thread, i: first + thread, j });
      }
      steps.push(looks);
    }
  }
  return steps;
}

/**
 * Give thread k move number k, then moves in strides of the number of threads (`block_pairs_cuda._scan`).
 * @param {number} n
 * @param {number} threads
 * @returns {Steps}
 */
function byNumber(n, threads) {
  const moves = listMoves(n);
  const steps = [];
  for (let k = 0; k < moves.length; k += threads)
    steps.push(moves.slice(k, k + threads).map((move, thread) => ({ thread, ...move })));
  return steps;
}

/**
 * Give each thread a strip of rows, which it scans column by column over the half circle behind the strip
 * (`strip_scan_cuda._build_walk`). The moves of a step, (i, j) with j up to n + n / 2, belong to the column before the
 * measured one.
 * @param {number} n
 * @param {number} threads
 * @param {number} rows rows of a strip; together the strips cover the tour
 * @returns {{ column: number[], looks: Look[] }[]} the measured columns, by thread
 */
function strips(n, threads, rows) {
  const columns = Math.floor(n / 2) + rows - 2;
  return Array.from({ length: columns + 1 }, (_, step) => {
    const looks = [];
    const column = [];
    for (let thread = 0; thread < threads; thread++) {
      const j = thread * rows + 1 + step; // the column whose moves are evaluated in this step
      column.push(j + 1);
      for (let i = thread * rows; i < (thread + 1) * rows; i++) if (step && j - i >= 2) looks.push({ thread, i, j });
    }
    return { column, looks };
  });
}

/**
 * Return whether two moves share no edge and do not cross: they are disjoint or nested
 * (`multi_move_cuda._are_compatible`).
 * @param {{ i: number, j: number }} one
 * @param {{ i: number, j: number }} other
 */
const areApart = (one, other) =>
  one.j < other.i || other.j < one.i || (one.i < other.i && other.j < one.j) || (other.i < one.i && one.j < other.j);

export const moves = { areApart, byNumber, listMoves, perThread, rowsBackwards, rowsForwards, strips };
