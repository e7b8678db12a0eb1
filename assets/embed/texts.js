/* Texts of a standalone run; texts shared with the Watch page are in its catalogue. */
import catalogue from "../texts/embed.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
