/* Data attributes of elements, for the style sheet. */
import { byId } from "../../common/dom.js";

/**
 * Set or remove a data attribute of an element, for the style sheet.
 * @param {string} id
 * @param {string} name
 * @param {string | boolean} value
 */
export function mark(id, name, value) {
  const element = byId(id);
  if (!element) return;
  if (value) element.dataset[name] = value;
  else delete element.dataset[name];
}
