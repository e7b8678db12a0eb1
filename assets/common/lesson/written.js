/* Texts of lessons: HTML made by the server from Markdown, in which raw HTML is text. */
import { element } from "../elements.js";

/**
 * Parse HTML into nodes.
 * @param {string} html
 */
const nodes = (html) => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];

/**
 * Make an element with HTML contents.
 * @param {"div" | "li"} name
 * @param {string} html
 * @param {string} [style] its class
 */
const written = (name, html, style) => element(name, { class: style }, ...nodes(html));

export { nodes, written };
