/* All diagrams, by algorithm and by the name at the start of an item in the algorithm's document. */
import { ants } from "./ants.js";
import { boards } from "./boards.js";
import { chains } from "./chains.js";
import { work } from "./cores.js";
import { ideas } from "./ideas.js";
import { kicks } from "./kicks.js";
import { layers } from "./layers.js";

/** @type {Record<string, Record<string, () => Scene>>} */
export const SCENES = {
  "two-opt": { "One move": ideas.move, ...boards },
  "lin-kernighan": kicks,
  "simulated-annealing": { Uphill: ideas.uphill, ...chains },
  "tabu-search": { cpu: work.searches },
  "ant-system": { "One choice": ideas.choice(false), ...ants.antSystem },
  "max-min-ant-system": { Limits: ideas.limits, ...ants.maxMin },
  "ant-colony-system": { "One choice": ideas.choice(true), ...ants.colonySystem },
  "genetic-algorithm": { "One child": ideas.child, cpu: work.pairs },
  "particle-swarm": { cpu: work.particles },
  "artificial-bee-colony": { cpu: work.bees },
  "held-karp": { "One state": ideas.state, ...layers },
};

/**
 * Return the name of the diagram for an algorithm's idea, if there is one; the other diagrams are named after variants.
 * @param {string} algorithm
 */
export const ideaName = (algorithm) => Object.keys(SCENES[algorithm] || {}).find((name) => /^[A-Z]/.test(name));
