/* Limits numbers to a range, rounds steps, and looks up values by name. */
/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * Return the smallest number 1, 2 or 5 times a power of ten that is at least `rough`.
 * @param {number} rough
 */
export function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((digit) => digit * power >= rough) || 10);
}

/**
 * Return an object with the value of each name.
 * @template {string} Name
 * @template Value
 * @param {Name[]} names
 * @param {(name: Name) => Value} look
 */
export const byName = (names, look) =>
  /** @type {Record<Name, Value>} */ (Object.fromEntries(names.map((name) => [name, look(name)])));
