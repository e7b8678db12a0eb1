/* The texts of the dialog of a tour's places. */
import catalogue from "../texts/itinerary.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
