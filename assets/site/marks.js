/* Replaces `lesson/marks.js` in a site. */
import { marking } from "./marking.js";

export const marks = {
  /** @param {string} _page @param {string[]} names */
  show: (_page, names) => marking.show(names),
};
