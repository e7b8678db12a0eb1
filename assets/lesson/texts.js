/* The texts of a lesson's panel. */
import catalogue from "../texts/lesson.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
