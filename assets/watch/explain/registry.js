/*
 * The explainers of steps, by kind of walk and algorithm. A module with an explainer registers it on import (`main.js`
 * imports it).
 */

/** @type {Map<string, Explainer>} */
const explainers = new Map();

/**
 * Register an explainer for the steps of a walk.
 * @param {View["walk"]} walk
 * @param {Explainer} explainer
 * @param {string[]} [algorithms] the algorithms that it explains; by default, all that have no explainer of their own
 */
export function explains(walk, explainer, algorithms = [""]) {
  for (const algorithm of algorithms) explainers.set(`${walk} ${algorithm}`, explainer);
}

/**
 * Return the explainer of a step, if there is one.
 * @param {View["walk"]} walk
 * @param {string} algorithm
 */
export const findExplainer = (walk, algorithm) => explainers.get(`${walk} ${algorithm}`) || explainers.get(`${walk} `);
