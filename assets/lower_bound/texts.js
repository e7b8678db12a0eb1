/* The texts of the dialog that shows what proves a bound. */
import catalogue from "../texts/lower_bound.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
