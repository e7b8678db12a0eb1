/*
 * Diagrams of a page: a list item that begins with the name of a diagram becomes that diagram's caption. If a list has
 * several diagrams, buttons switch between them. The name of an idea is translated, so the first bold name on the page
 * stands for it.
 */
import { button, element } from "../common/elements.js";
import { diagram } from "./diagram.js";
import { typeset } from "./formulas.js";
import { ideaName, SCENES } from "./scenes.js";
import { text } from "./texts.js";

/**
 * Return the names at the start of an item, up to its colon.
 * @param {Element} item
 */
function readNames(item) {
  const names = [];
  for (const node of item.childNodes) {
    if (node instanceof Element && ["CODE", "STRONG"].includes(node.tagName)) names.push(node.textContent || "");
    else if (node.textContent?.includes(":")) break;
  }
  return names;
}

/**
 * Return the list items that have a diagram, each with its names and its diagram.
 * @param {Element} list
 * @param {string} algorithm
 * @param {Element | null} bold first bold name on the page
 */
function findEntries(list, algorithm, bold) {
  const scenes = SCENES[algorithm] || {};
  return [...list.children].flatMap((item) => {
    const names = readNames(item);
    const name = (bold?.parentElement === item && ideaName(algorithm)) || names[0];
    return name && scenes[name] ? [{ item, names, scene: scenes[name] }] : [];
  });
}

/**
 * Replace a list by its diagrams.
 * @param {Element} list
 * @param {ReturnType<typeof findEntries>} entries
 */
function replace(list, entries) {
  const panel = element("div");
  /** @type {ReturnType<typeof diagram> | null} */
  let now = null;
  /** @param {(typeof entries)[number]} entry */
  const choose = ({ item, names, scene }) => {
    now?.stop();
    const name = names.join(", ");
    now = diagram(scene(), text("diagram.of", { name }));
    const caption = element("figcaption");
    for (const node of item.childNodes) caption.append(node.cloneNode(true));
    now.figure.append(caption);
    panel.replaceChildren(now.figure);
    typeset(caption);
    for (const button of choices) button.ariaPressed = String(button.dataset.name === name);
  };
  const choices = entries.map((entry) => {
    const name = entry.names.join(", ");
    const choice = button({ class: "how-choice", "data-name": name }, name);
    choice.addEventListener("click", () => choose(entry));
    return choice;
  });
  const row = element("div.how-choices", { role: "group", "aria-label": text("diagram.which") }, ...choices);
  list.before(...(entries.length > 1 ? [row] : []), panel);
  for (const { item } of entries) item.remove();
  if (!list.children.length) list.remove();
  choose(entries[0]);
}

/**
 * Put the diagrams of an algorithm into its page.
 * @param {HTMLElement} body
 * @param {string} algorithm
 */
function mount(body, algorithm) {
  const bold = body.querySelector("li > strong:first-child");
  for (const list of body.querySelectorAll("ul")) {
    const entries = findEntries(list, algorithm, bold);
    if (entries.length) replace(list, entries);
  }
}

export const diagrams = { mount };
