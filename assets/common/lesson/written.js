/* Texts of lessons: HTML that the server has made of Markdown, in which raw HTML is text. */
import { element } from "../elements.js";

/**
 * The nodes of some HTML.
 * @param {string} html
 */
const nodes = (html) => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];

/**
 * An element that has some HTML.
 * @param {"div" | "li"} name
 * @param {string} html
 * @param {string} [style] its class
 */
const written = (name, html, style) => element(name, { class: style }, ...nodes(html));

export { nodes, written };
