/* The texts of a lecture. */
import catalogue from "../texts/lecture.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
