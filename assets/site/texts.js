/* The site's texts; texts shared with other pages are in the catalogues of those pages. */
import catalogue from "../texts/site.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
