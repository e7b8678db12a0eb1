/* The texts of this page. */
import catalogue from "../texts/watch.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
