/*
 * The diagram of kicks on a GPU: each thread kicks at its own place of a shared tour, and compatible kicks are applied.
 */
import { svg } from "./svg.js";
import { text } from "./texts.js";

const POSITIONS = 24;
const [CELL, WIDTH] = [15, 440];
const LEFT = 62;

/**
 * The kicks of two batches: for each thread, the first and the last changed position, and the gain.
 * @type {{ first: number, last: number, gain: number }[][]}
 */
const BATCHES = [
  [
    { first: 1, last: 5, gain: 3 },
    { first: 4, last: 9, gain: 5 },
    { first: 12, last: 15, gain: 0 },
    { first: 17, last: 22, gain: 2 },
  ],
  [
    { first: 2, last: 4, gain: 0 },
    { first: 7, last: 11, gain: 1 },
    { first: 13, last: 18, gain: 4 },
    { first: 16, last: 21, gain: 2 },
  ],
];

/**
 * Return the threads whose kicks are applied: by decreasing gain, those whose part of the tour has not changed yet.
 * @param {{ first: number, last: number, gain: number }[]} kicks
 */
export function chooseKicks(kicks) {
  const threads = kicks.map((_, thread) => thread).filter((thread) => kicks[thread].gain > 0);
  threads.sort((one, other) => kicks[other].gain - kicks[one].gain || one - other);
  /** @type {number[]} */
  const results = [];
  for (const thread of threads) {
    const { first, last } = kicks[thread];
    if (results.every((other) => kicks[other].last < first || last < kicks[other].first)) results.push(thread);
  }
  return results;
}

/**
 * Return the mark beside the row of a thread's kick, which shows whether the kick is applied.
 * @param {number} gain
 * @param {boolean} isMade
 */
const verdict = (gain, isMade) => (isMade ? "\u2713" : gain > 0 ? "\u00d7" : "");

/** @returns {Scene} */
function cuda() {
  return {
    width: WIDTH,
    height: 200,
    frames: 3 * BATCHES.length,
    pace: 1400,
    draw(frame) {
      const [kicks, phase] = [BATCHES[Math.floor(frame / 3)], frame % 3];
      const results = chooseKicks(kicks);
      const isChanged = (/** @type {number} */ k) =>
        phase === 2 && results.some((thread) => kicks[thread].first <= k && k <= kicks[thread].last);
      const tour = Array.from({ length: POSITIONS }, (_, k) =>
        svg.rect(LEFT + k * CELL, 14, CELL - 2, 22, isChanged(k) ? "made" : "cell"),
      );
      const rows = kicks.flatMap(({ first, last, gain }, thread) => {
        const y = 52 + thread * 36;
        const stored = phase < 2 || results.includes(thread);
        return [
          svg.label(30, y + 17, text("diagram.lane", { lane: thread }), "axis"),
          ...Array.from({ length: last - first + 1 }, (_, k) =>
            svg.rect(LEFT + (first + k) * CELL, y, CELL - 2, 26, stored ? `t${thread}` : "cell gone"),
          ),
          ...(phase ? [svg.label(LEFT + (first - 1.2) * CELL, y + 18, gain ? `\u2212${gain}` : "0", "axis")] : []),
          ...(phase === 2 ? [svg.label(LEFT + (last + 2) * CELL, y + 18, verdict(gain, stored), "")] : []),
        ];
      });
      return [svg.label(30, 29, text("diagram.tour"), "axis"), ...tour, ...rows];
    },
    say: (frame) => [text("diagram.kicks"), text("diagram.repairs"), text("diagram.makes")][frame % 3],
  };
}

/** @type {Record<string, () => Scene>} */
export const kicks = { cuda };
