/* Diagrams of annealing on a GPU: which lane evaluates which of a chain's next draws, and which of them is applied. */
import { svg } from "./svg.js";
import { text } from "./texts.js";

const LANES = 8;
const DRAWS = 48;
const WIDTH = 440;
const [PER_ROW, CELL] = [16, 26];
//: The draws that would be accepted on the tour for which they are evaluated.
const ACCEPTED = [5, 9, 22, 24, 37];

/** @param {number} k */
const drawPlace = (k) => ({ x: 12 + (k % PER_ROW) * CELL, y: 30 + Math.floor(k / PER_ROW) * 62 });

/**
 * Return the windows of draws that a warp evaluates: each begins after the first accepted draw of the previous window.
 * @param {number[]} accepted
 * @param {number} draws
 * @param {number} lanes
 */
export function windows(accepted, draws, lanes) {
  const spans = [];
  for (let first = 0; first < draws; ) {
    const result = accepted.find((k) => k >= first && k < Math.min(draws, first + lanes)) ?? null;
    spans.push({ first, made: result });
    first = result === null ? first + lanes : result + 1;
  }
  return spans;
}

/** @returns {Scene} */
function warp() {
  const all = windows(ACCEPTED, DRAWS, LANES);
  return {
    width: WIDTH,
    height: 210,
    frames: 2 * all.length,
    pace: 1000,
    draw(frame) {
      const { first, made: result } = all[Math.floor(frame / 2)];
      const isJudged = frame % 2;
      return Array.from({ length: DRAWS }, (_, k) => {
        const { x, y } = drawPlace(k);
        const inside = k >= first && k < first + LANES;
        const counts = result === null || k <= result;
        const before = k < first && ACCEPTED.includes(k);
        const kind = inside
          ? isJudged && !counts
            ? "cell"
            : `t${k - first}`
          : before
            ? "made"
            : k < first
              ? "cell gone"
              : "cell";
        const now = inside && isJudged && k === result;
        return [
          svg.rect(x, y, CELL - 3, 23, now ? "made" : inside && isJudged && counts ? "cell gone" : kind),
          svg.label(x + 11.5, y + 16, k, now || before || (inside && !isJudged) ? "on small" : "axis small"),
          ...(inside && !isJudged ? [svg.label(x + 11.5, y - 5, k - first, "axis small")] : []),
        ];
      }).flat();
    },
    say(frame) {
      const { first, made: result } = all[Math.floor(frame / 2)];
      if (frame % 2 === 0) return text("diagram.ahead", { first, last: Math.min(DRAWS, first + LANES) - 1 });
      return result === null ? text("diagram.none-accepted") : text("diagram.accepted", { draw: result });
    },
  };
}

/** Rounds of a block: of the accepted draws, the one that gives the shortest tour is applied (`rounds_cuda`). */
const ROUNDS = [
  { accepted: [1, 4, 6], best: 4 },
  { accepted: [0, 3], best: 0 },
  { accepted: [], best: -1 },
  { accepted: [2, 5, 6, 7], best: 6 },
];

/** @returns {Scene} */
function rounds() {
  return {
    width: WIDTH,
    height: 190,
    frames: 3 * ROUNDS.length,
    pace: 1000,
    draw(frame) {
      const now = Math.floor(frame / 3);
      return ROUNDS.flatMap(({ accepted, best }, round) =>
        Array.from({ length: LANES }, (_, thread) => {
          const [x, y] = [80 + thread * 42, 26 + round * 40];
          const phase = round < now ? 2 : round > now ? -1 : frame % 3;
          const yes = accepted.includes(thread);
          const kind = ["cell", `t${thread}`, yes ? "accepted" : "cell gone", thread === best ? "made" : "cell gone"][
            phase + 1
          ];
          return [
            ...(thread ? [] : [svg.label(38, y + 19, text("diagram.round", { round }), "axis")]),
            ...(round ? [] : [svg.label(x + 19, 16, thread, "axis small")]),
            svg.rect(x, y, 38, 28, kind),
            ...(phase === 1 && yes ? [svg.label(x + 19, y + 19, "\u2713", "")] : []),
            ...(phase === 2 && thread === best ? [svg.label(x + 19, y + 19, "\u2713", "on")] : []),
          ];
        }).flat(),
      );
    },
    say: (frame) => [text("diagram.propose"), text("diagram.judge"), text("diagram.shortest")][frame % 3],
  };
}

/** @type {Record<string, () => Scene>} */
export const chains = { warp, "wei-wu-yu": rounds };
