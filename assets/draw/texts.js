/* The texts of the dialog of drawn cities. */
import catalogue from "../texts/draw.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
