/* The texts of the dialog of videos. */
import catalogue from "../texts/video.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
