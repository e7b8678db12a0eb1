/* Diagrams of 2-opt's kernels: boards of the moves (i, j), and the thread that evaluates each. */
import { moves } from "./moves.js";
import { svg } from "./svg.js";
import { text } from "./texts.js";

const N = 12;
const THREADS = 4;
const TILE = 4; // positions j of a tile; 1,024 in the kernel
const STRIP = 3; // rows of a strip
const WIDTH = 440;

// : The best move of each thread in the diagram of `multi-move`, the overall best first.
const BEST = [
  { thread: 1, i: 3, j: 9 },
  { thread: 2, i: 6, j: 8 },
  { thread: 0, i: 2, j: 6 },
  { thread: 3, i: 10, j: 14 },
];

/** @typedef {{ x: number, y: number, cell: number, columns: number }} Board */

/**
 * @param {Board} board
 * @param {{ i: number, j: number }} move
 * @param {string} kind
 */
const cellAt = ({ x, y, cell }, { i, j }, kind) =>
  svg.rect(x + j * cell + 1, y + i * cell + 1, cell - 2, cell - 2, kind);

/**
 * Draw the board without threads: its moves, and the row and column numbers if there is room.
 * @param {Board} board
 * @param {{ i: number, j: number }[]} all
 * @returns {Shape[]}
 */
function board(board, all) {
  const { x, y, cell, columns } = board;
  const shapes = all.map((move) => cellAt(board, move, "cell"));
  if (cell < 16) return shapes;
  const rows = Math.max(...all.map(({ i }) => i)) + 1;
  for (let j = 0; j < columns; j++) shapes.push(svg.label(x + (j + 0.5) * cell, y - 5, j % N, "axis"));
  for (let i = 0; i < rows; i++) shapes.push(svg.label(x - 9, y + (i + 0.7) * cell, i, "axis"));
  shapes.push(svg.label(x - 9, y - 5, "i \\ j", "axis"));
  return shapes;
}

/**
 * Draw the moves that threads have evaluated, and those being evaluated.
 * @param {Board} where
 * @param {Look[][]} steps
 * @param {number} frame
 * @returns {Shape[]}
 */
function highlight(where, steps, frame) {
  const { x, y, cell } = where;
  const before = steps
    .slice(0, frame)
    .flatMap((looks) => looks.map((look) => cellAt(where, look, `t${look.thread} done`)));
  const now = (steps[frame] || []).flatMap((look) => [
    cellAt(where, look, `t${look.thread}`),
    svg.label(x + (look.j + 0.5) * cell, y + (look.i + 0.7) * cell, cell < 16 ? "" : look.thread, "on"),
  ]);
  return [...before, ...now];
}

/** @param {Look[]} looks */
const details = (looks) =>
  text("diagram.looks", { looks: looks.map(({ thread, i, j }) => `${thread}: (${i}, ${j % N})`).join("  ") });

/**
 * Show one climber whose moves are distributed over the threads of a block.
 * @param {Look[][]} steps
 * @param {(frame: number) => Shape[]} [below] shapes below the moves
 * @returns {Scene}
 */
function shared(steps, below = () => []) {
  const where = { x: 34, y: 22, cell: 32, columns: N };
  const all = moves.listMoves(N);
  return {
    width: WIDTH,
    height: 22 + (N - 2) * 32 + 6,
    frames: steps.length,
    pace: 420,
    draw: (frame) => [...board(where, all), ...below(frame), ...highlight(where, steps, frame)],
    say: (frame) => details(steps[frame]),
  };
}

/**
 * Map a move on the circle to positions from 0 to N - 1.
 * @param {Look} look
 */
const wrapMove = ({ i, j }) => ({ i: Math.min(i, j % N), j: Math.max(i, j % N) });

/** Show one climber per thread, with a board for each. */
function perThread() {
  const steps = moves.perThread(N, THREADS);
  const all = moves.listMoves(N);
  const cell = 15;
  const boards = Array.from({ length: THREADS }, (_, t) => ({
    x: 10 + (t % 2) * 220,
    y: 24 + Math.floor(t / 2) * 185,
    cell,
    columns: N,
  }));
  return {
    width: WIDTH,
    height: 375,
    frames: steps.length,
    pace: 220,
    /** @param {number} frame */
    draw: (frame) =>
      boards.flatMap((where, t) => [
        svg.label(where.x + 6 * cell, where.y - 8, text("diagram.thread-climber", { thread: t, climber: t }), "axis"),
        ...board(where, all),
        ...highlight(
          where,
          steps.map((looks) => looks.filter(({ thread }) => thread === t)),
          frame,
        ),
      ]),
    /** @param {number} frame */
    say: (frame) => details(steps[frame]),
  };
}

/** Show all threads at the same j, and the tile of the tour in shared memory. */
function tiles() {
  const steps = moves.rowsBackwards(N, THREADS);
  return shared(steps, (frame) => {
    const { j } = steps[frame][0];
    const end = N - TILE * Math.floor((N - 1 - j) / TILE);
    const first = Math.min(...steps[frame].map(({ i }) => i));
    const low = Math.max(end - TILE, Math.floor(first / THREADS) * THREADS + 2);
    return [svg.rect(34 + low * 32, 22, (end - low) * 32, (N - 2) * 32, "tile")];
  });
}

/**
 * Show strips: rings are the distances computed for a column, filled cells the moves that these distances complete.
 * @param {boolean} many whether several moves are applied after the scan
 * @returns {Scene}
 */
function strips(many) {
  const steps = moves.strips(N, THREADS, STRIP);
  const columns = N + N / 2 + STRIP - 2;
  const where = { x: 26, y: 22, cell: 21, columns };
  /** @type {{ i: number, j: number }[]} */
  const all = [];
  for (let i = 0; i < N; i++) for (let j = i + 2; j <= i + N / 2; j++) all.push({ i, j });
  const looks = steps.map((step) => step.looks);
  /** @type {Look[]} */
  const results = [];
  for (const each of BEST)
    if (results.every((other) => moves.areApart(wrapMove(each), wrapMove(other)))) results.push(each);
  const { x, y, cell } = where;
  /** @param {number} frame */
  const rings = (frame) =>
    (steps[frame]?.column || []).flatMap((j, thread) =>
      Array.from({ length: STRIP + 1 }, (_, k) =>
        svg.dot(x + (j + 0.5) * cell, y + (thread * STRIP + k + 0.5) * cell, 5, `t${thread} ring`),
      ),
    );
  /** @returns {Shape[]} */
  const choice = () =>
    BEST.flatMap((each) => [
      cellAt(where, each, `t${each.thread}`),
      svg.label(
        x + (each.j + 0.5) * cell,
        y + (each.i + 0.72) * cell,
        results.includes(each) ? "\u2713" : "\u00d7",
        "on",
      ),
    ]);
  return {
    width: WIDTH,
    height: 22 + (N + 1) * 21 + 8,
    frames: steps.length + Number(many),
    pace: 700,
    draw: (frame) => [
      ...board(where, all),
      ...highlight(where, looks, frame),
      ...(frame < steps.length ? rings(frame) : choice()),
    ],
    say: (frame) => text(frame < steps.length ? "diagram.strip" : "diagram.chosen"),
  };
}

/**
 * Show operations on arrays: one thread per move, then an equal share of the moves per thread, then a reduction by
 * halves.
 */
function arrays() {
  const all = moves.listMoves(N);
  const where = { x: 34, y: 22, cell: 32, columns: N };
  const left = [0, 0, THREADS, THREADS / 2, 1];
  const sentences = [
    text("diagram.map"),
    text("diagram.share"),
    text("diagram.least"),
    text("diagram.halves"),
    text("diagram.found"),
  ];
  return {
    width: WIDTH,
    height: 22 + (N - 2) * 32 + 6,
    frames: left.length,
    pace: 1400,
    /** @param {number} frame */
    draw: (frame) => [
      ...board(where, all),
      ...all.map((move, k) => cellAt(where, move, ["t0", `t${k % THREADS}`][frame] || `t${k % THREADS} done`)),
      ...Array.from({ length: left[frame] }, (_, t) => svg.rect(46 + t * 34, 250, 30, 30, `t${t}`)),
      ...Array.from({ length: left[frame] }, (_, t) => svg.label(61 + t * 34, 270, "min", "on")),
    ],
    /** @param {number} frame */
    say: (frame) => sentences[frame],
  };
}

/** @type {Record<string, () => Scene>} */
export const boards = {
  matr_s: perThread,
  calc: perThread,
  intra: () => shared(moves.rowsForwards(N, THREADS)),
  tile: tiles,
  original: () => shared(moves.byNumber(N, THREADS)),
  array: arrays,
  strip: () => strips(false),
  "multi-move": () => strips(true),
};
