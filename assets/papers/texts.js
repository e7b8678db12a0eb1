/* The texts of the papers. */
import catalogue from "../texts/papers.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
