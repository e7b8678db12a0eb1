/*
 * Instances that the visitor uploaded, drew or generated. The browser stores their references, so that the menus of all
 * pages list them again after a reload. Named instances are not stored, since they are in everybody's menu.
 */
import { register, unchanged } from "../common/callbacks.js";
import { browserStorage } from "../common/storage.js";

const KEY = "instances";
const MAX_STORED = 20;

/** @returns {string[]} the newest first */
function readStored() {
  const values = browserStorage.read(KEY);
  return Array.isArray(values) ? values.filter((value) => typeof value === "string").slice(0, MAX_STORED) : [];
}

/** @param {string[]} values */
const store = (values) => browserStorage.store(KEY, values.slice(0, MAX_STORED));

/**
 * Store the chosen values, and return the stored values that the menu lacks.
 * @param {string | string[] | null} chosen
 * @param {{ value: string }[] | null} options
 * @returns {string[]}
 */
export function findMissing(chosen, options) {
  const own = [chosen || []].flat().filter((value) => value.startsWith("{"));
  const before = readStored();
  const all = [...new Set([...own, ...before])];
  if (all.join() !== before.join()) store(all);
  const listed = new Set((options || []).map(({ value }) => value));
  return all.filter((value) => !listed.has(value));
}

register("instances", {
  /** @param {Parameters<typeof findMissing>} now */
  lacking(...now) {
    const values = findMissing(...now);
    return values.length ? values : unchanged();
  },
});
