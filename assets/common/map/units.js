/* Units of lengths: kilometres or metres between places on the globe, unknown for other maps. */
import { integer } from "../integer.js";
import { text } from "../texts.js";

/** @typedef {{ edge_weight_type: string } | null | undefined} Measured an instance, as far as it is known */

/** Units by edge weight type, the same as in `data/instance.py`. @type {Record<string, string | undefined>} */
export const UNITS = { GEO: "km", HAVERSINE_KM: "km", HAVERSINE_M: "m" };

/**
 * Return the unit, empty if unknown.
 * @param {Measured} instance
 */
export const lengthUnit = (instance) => UNITS[instance?.edge_weight_type ?? ""] ?? "";

/**
 * Format a length: 7 542, 7 542 km.
 * @param {Measured} instance
 * @param {number} length
 */
export function formatLength(instance, length) {
  const unit = lengthUnit(instance);
  return unit ? text("length.in", { length, unit }) : integer(length);
}

/**
 * Return the label of an axis, column or tile of lengths: "length", or "length, km".
 * @param {Measured} instance
 * @param {string} words
 */
export function named(instance, words) {
  const unit = lengthUnit(instance);
  return unit ? text("length.named", { words, unit }) : words;
}
