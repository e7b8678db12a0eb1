/* The texts of the list of a cluster's nodes. */
import catalogue from "../texts/nodes.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
