/* Random cities in the dialog of instances, given by class, number and seed. */
import { readProp } from "../common/callbacks.js";
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { makePreview } from "./preview.js";
import { text } from "./texts.js";

/** @typedef {{ generate: string, n: number, seed: number }} Request */

const preview = makePreview("generator", (/** @type {Request} */ { generate }, place) => place.dataset[generate]);

/**
 * Return the error in the first invalid value, or an empty string; marks invalid fields.
 * @param {Request} request
 */
function findFault(request) {
  let sentence = "";
  for (const name of /** @type {const} */ (["n", "seed"])) {
    const field = byId(`generator-${name}`);
    const [min, max] = [Number(field.min), Number(field.max)];
    const good = Number.isInteger(request[name]) && request[name] >= min && request[name] <= max;
    field.setAttribute("aria-invalid", String(!good));
    if (!good) sentence ||= text(`generator.range.${name}`, { min, max });
  }
  return sentence;
}

/**
 * Show the cities of a class, number and seed after a change.
 * @param {string} generate the class
 * @param {number} n
 * @param {number} seed
 */
function show(generate, n, seed) {
  const request = { generate, n, seed };
  preview(request, findFault(request));
}

on("instances", () => {
  const [generate, n, seed] = ["class", "n", "seed"].map((name) => readProp(`generator-${name}`, "value"));
  show(generate, n, seed);
});
export const generator = { show };
