/* Draws server-made charts in the colours of the other theme. */

/**
 * Replace the colours in a part of a figure.
 * @template Part
 * @param {Part} part of a Plotly figure
 * @param {Map<string, string>} others new colours by old ones, in lower case
 * @returns {Part}
 */
export function recolour(part, others) {
  if (typeof part === "string") return /** @type {any} */ (others.get(part.toLowerCase()) || part);
  if (!part || typeof part !== "object" || ArrayBuffer.isView(part)) return part;
  if (Array.isArray(part)) return /** @type {any} */ (part.map((item) => recolour(item, others)));
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(part).map(([key, value]) => [key, recolour(value, others)]))
  );
}
