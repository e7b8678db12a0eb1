/* Texts of the pages: a catalogue per page in `assets/texts/`, which the server reads as well. */
import catalogue from "../texts/common.json" with { type: "json" };
import { integer } from "./integer.js";

const TWICE = /\b(city|stadt) (?=\1)/giu; // matches "City City1", where a file calls a city City1

/**
 * Make the function that formats texts of a catalogue. It replaces each `{name}` by its value, and writes numbers as
 * whole ones with grouped thousands. If `count` is 1 and the catalogue has the key with the suffix `.one`, that text is
 * used.
 * @template {Record<string, string>} Catalogue
 * @param {Catalogue} texts
 */
export const reader =
  (texts) =>
  /**
   * @param {keyof Catalogue & string} key
   * @param {Record<string, string | number>} [values]
   */
  (key, values = {}) => {
    const one = `${key}.one`;
    const text = values.count === 1 && one in texts ? texts[one] : texts[key];
    const sentence = text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      if (typeof value === "string") return value;
      if (typeof value === "number") return integer(value);
      throw new Error(`The text ${key} needs a text or a number as ${name}.`);
    });
    return sentence.replace(TWICE, "");
  };

/** A text shared by all pages. */
export const text = reader(catalogue);

/**
 * Return a text shared by all pages whose key may be missing, such as the word for an algorithm's unit.
 * @param {string} key
 * @param {string} otherwise
 */
export const word = (key, otherwise) => /** @type {Record<string, string>} */ (catalogue)[key] ?? otherwise;
