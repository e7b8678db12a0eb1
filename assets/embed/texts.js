/* The texts of a run by itself; what it shares with the Watch page is in the catalogue of that. */
import catalogue from "../texts/embed.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
