/* The texts of the library. */
import catalogue from "../texts/library.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
