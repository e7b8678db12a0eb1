/* The texts of the lessons' page. */
import catalogue from "../texts/learn.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
