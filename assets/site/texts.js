/* The texts of a site; those shared with other pages are in their catalogues. */
import catalogue from "../texts/site.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
