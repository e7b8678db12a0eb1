/* The texts of the drawer. */
import catalogue from "../texts/how.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
