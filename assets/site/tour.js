/* Replaces `watch/tour/tour.js` on the site, for choosing cities. */
import { board } from "./board.js";

export const tour = { map: board.map, place: board.place };
