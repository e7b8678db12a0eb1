/* Replaces `watch/tour/tour.js` in a site, for choosing cities. */
import { board } from "./board.js";

export const tour = { map: board.map, place: board.place };
