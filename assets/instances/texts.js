/* The texts of the dialog of instances. */
import catalogue from "../texts/instances.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
