/* Diagrams of CPU algorithms: which core has which piece of work, and when all cores wait for each other. */
import { svg } from "./svg.js";
import { text } from "./texts.js";

const CORES = 4;
const WIDTH = 440;
const [LEFT, SPAN] = [66, 364];

/**
 * Assign pieces to cores: a free core takes the next piece; a phase begins once all cores have finished the previous
 * one.
 * @param {number[][]} phases duration of each piece of a phase
 * @param {number} cores
 */
export function schedule(phases, cores) {
  const pieces = [];
  const ends = [];
  let begin = 0;
  for (const [phase, lengths] of phases.entries()) {
    const free = Array(cores).fill(begin);
    for (const [k, length] of lengths.entries()) {
      const core = free.indexOf(Math.min(...free));
      pieces.push({ phase, k, core, from: free[core], to: free[core] + length });
      free[core] += length;
    }
    begin = Math.max(...free);
    ends.push(begin);
  }
  return { pieces, ends };
}

/**
 * @param {number[][]} phases
 * @param {string[]} names of the phases
 * @param {string} piece what a piece is
 * @returns {() => Scene}
 */
const cores = (phases, names, piece) => () => {
  const { pieces, ends } = schedule(phases, CORES);
  const whole = ends.at(-1) || 1;
  const scale = SPAN / whole;
  return {
    width: WIDTH,
    height: 34 + CORES * 36 + 20,
    frames: whole,
    pace: 420,
    draw: (frame) => [
      ...Array.from({ length: CORES }, (_, core) =>
        svg.label(32, 54 + core * 36, text("diagram.core", { core }), "axis"),
      ),
      ...pieces.flatMap(({ k, core, from, to }) => {
        if (from > frame) return [];
        const width = (Math.min(to, frame + 1) - from) * scale;
        const kind = to <= frame ? `t${core} done` : `t${core}`;
        return [
          svg.rect(LEFT + from * scale + 1, 34 + core * 36, width - 2, 30, kind),
          ...(width > 14
            ? [svg.label(LEFT + from * scale + width / 2, 54 + core * 36, k, to <= frame ? "small" : "small on")]
            : []),
        ];
      }),
      ...ends.slice(0, -1).map((end) => svg.line(LEFT + end * scale, 24, LEFT + end * scale, 34 + CORES * 36, "wait")),
      ...names.map((name, phase) =>
        svg.label(LEFT + (((ends[phase - 1] || 0) + ends[phase]) / 2) * scale, 18, name, "axis"),
      ),
    ],
    say: () => text(ends.length > 1 ? "diagram.phases" : "diagram.pieces", { piece }),
  };
};

const GENERATION = [2, 3, 2, 2, 3, 2, 2, 2];
const EVEN = Array(8).fill(2);

/** @type {Record<string, () => Scene>} */
export const work = {
  bees: cores(
    [EVEN, [2, 3, 2, 1, 3, 2, 2, 1]],
    [text("diagram.employed"), text("diagram.onlookers")],
    text("diagram.source"),
  ),
  pairs: cores(
    [GENERATION, [3, 2, 2, 2, 2, 3, 2, 2], [2, 2, 3, 2, 2, 2, 2, 3]],
    [1, 2, 3].map((number) => text("diagram.generation", { number })),
    text("diagram.pair"),
  ),
  particles: cores(
    [EVEN, EVEN, EVEN],
    [1, 2, 3].map((number) => text("diagram.iteration", { number })),
    text("diagram.particle"),
  ),
  searches: cores([[7, 6, 8, 7, 7, 8, 6, 7, 6, 7]], [], text("diagram.search")),
};
