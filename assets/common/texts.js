/* The page's texts: a catalogue a page in `assets/texts/`, which the server reads as well. */
import catalogue from "../texts/common.json" with { type: "json" };
import { integer } from "./integer.js";

/**
 * The function that reads a catalogue. It puts values in place of `{names}`, numbers as whole ones, grouped; where
 * `count` is 1 and the catalogue has the key with `.one` at its end, that is the text.
 * @template {Record<string, string>} Catalogue
 * @param {Catalogue} texts
 */
const reader =
  (texts) =>
  /**
   * @param {keyof Catalogue & string} key
   * @param {Record<string, string | number>} [values]
   */
  (key, values = {}) => {
    const one = `${key}.one`;
    const text = values.count === 1 && one in texts ? texts[one] : texts[key];
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      if (typeof value === "string") return value;
      if (typeof value === "number") return integer(value);
      throw new Error(`The text ${key} needs a text or a number as ${name}.`);
    });
  };

/** A text that all pages share. */
const text = reader(catalogue);

/**
 * A text that all pages share, by a key that may not be there: the words for what algorithms count.
 * @param {string} key
 * @param {string} otherwise
 */
const word = (key, otherwise) => /** @type {Record<string, string>} */ (catalogue)[key] ?? otherwise;

export { reader, text, word };
