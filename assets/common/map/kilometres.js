/* The unit of lengths, where it is known: of places by latitude and longitude they are kilometres, of others nobody knows. */
import { integer } from "../integer.js";
import { text } from "../texts.js";

/** @typedef {{ edge_weight_type: string } | null | undefined} Measured an instance, as far as it is known */

/** @param {Measured} instance */
const known = (instance) => instance?.edge_weight_type === "GEO";

/**
 * The unit by itself, nothing where none is known.
 * @param {Measured} instance
 */
const unitOf = (instance) => (known(instance) ? text("length.unit") : "");

/**
 * A length: 7 542, 7 542 km.
 * @param {Measured} instance
 * @param {number} length
 */
const lengthOf = (instance, length) => (known(instance) ? text("length.km", { length }) : integer(length));

/**
 * The words for what an axis, a column or a tile shows lengths as: length, "length, km".
 * @param {Measured} instance
 * @param {string} words
 */
const named = (instance, words) => (known(instance) ? text("length.named", { words }) : words);

export { lengthOf, named, unitOf };
