/* Texts of lessons: HTML made by the server from Markdown, in which raw HTML is text. */
import { element } from "../elements.js";

/**
 * Parse HTML into nodes.
 * @param {string} html
 */
export const parseNodes = (html) => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];

/**
 * Make an element with HTML contents.
 * @param {"div" | "li"} name
 * @param {string} html
 * @param {string} [style] its class
 */
export const makeHtmlElement = (name, html, style) => element(name, { class: style }, ...parseNodes(html));

/**
 * Return the last paragraph of HTML as plain text: in a step this is the question, after the facts that it needs.
 * @param {string} html
 */
const lastParagraph = (html) =>
  parseNodes(html)
    .findLast((node) => node.textContent?.trim())
    ?.textContent?.trim() || "";

/**
 * Return a step's question and answers as plain text.
 * @param {LessonStep} step
 */
export const plainStep = ({ html, answers }) => ({
  text: lastParagraph(html),
  answers: answers.map((answer) => lastParagraph(answer.html)),
});
