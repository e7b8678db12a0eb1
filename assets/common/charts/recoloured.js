/* Draws charts that the server made in the colours of one theme in those of another. */

/**
 * A part of a figure with other colours in place of those of `others`.
 * @template Part
 * @param {Part} part of a figure of Plotly's
 * @param {Map<string, string>} others the new colours by the old ones, in lower case
 * @returns {Part}
 */
function recoloured(part, others) {
  if (typeof part === "string") return /** @type {any} */ (others.get(part.toLowerCase()) || part);
  if (!part || typeof part !== "object" || ArrayBuffer.isView(part)) return part;
  if (Array.isArray(part)) return /** @type {any} */ (part.map((each) => recoloured(each, others)));
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(part).map(([key, value]) => [key, recoloured(value, others)]))
  );
}

export { recoloured };
