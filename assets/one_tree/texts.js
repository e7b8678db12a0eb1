/* The texts of the dialog of 1-trees. */
import catalogue from "../texts/one_tree.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
