/* Replaces `lesson/marks.js` on the site. */
import { marker } from "./marker.js";

export const marks = {
  /** @param {string} _page @param {string[]} names */
  show: (_page, names) => marker.show(names),
};
