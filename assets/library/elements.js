/* Elements of the library's page, which come from plain JSON: texts of strangers are set as texts, never as HTML. */
import { closest } from "../common/dom.js";

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes those that are null or false are left out */

/**
 * An element with its attributes and children; a string is a text.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value || value === 0 || value === "") made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * A button that says what it does.
 * @param {Attributes} attributes
 * @param {string} text
 * @param {string} [picture] the name of an icon before the text
 */
function button(attributes, text, picture) {
  const icon = picture ? element("span", { class: `icon icon-${picture}`, "aria-hidden": "true" }) : null;
  return element("button", { type: "button", ...attributes }, icon, text ? element("span", {}, text) : null);
}

/**
 * The dot of an algorithm.
 * @param {string} colour of the style sheet
 */
function dot(colour) {
  const made = element("i", { class: "algorithm-dot", "aria-hidden": "true" });
  made.style.setProperty("--lane", `var(--${colour})`);
  return made;
}

/**
 * Change what is in a place; if a control of it has the focus, so has the control that takes its part then.
 * @param {HTMLElement} place
 * @param {() => void} change
 */
function refill(place, change) {
  const active = document.activeElement;
  const row = active?.closest("[data-key]")?.getAttribute("data-key");
  const told = [...(active?.attributes || [])].filter(({ name }) => /^(data-.*|class|value)$/.test(name));
  const control = told.map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`).join("");
  const held = place.contains(active);
  change();
  if (!held || place.contains(document.activeElement)) return;
  /** @type {HTMLElement | null} */
  const found = place.querySelector(`${row ? `[data-key="${CSS.escape(row)}"] ` : ""}${control}`);
  found?.focus();
}

/**
 * Call `work` when something is clicked within an element that a selector finds.
 * @param {string} selector
 * @param {(found: any, event: MouseEvent) => void} work `found` is what the selector says
 */
const clicked = (selector, work) =>
  document.addEventListener("click", (event) => {
    const found = closest(event, selector);
    if (found) work(found, event);
  });

export { button, clicked, dot, element, refill };
