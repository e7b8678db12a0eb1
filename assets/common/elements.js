/* Elements made from plain JSON: untrusted strings are set as text, never as HTML. */
/**
 * @typedef {Record<string, string | number | boolean | null | undefined>} Attributes null and false ones are left out
 */

/**
 * Make an element with attributes and children; strings become text.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value || value === 0 || value === "") node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * Make a labelled button.
 * @param {Attributes} attributes
 * @param {string} text
 * @param {string} [picture] name of an icon before the text
 */
export function button(attributes, text, picture) {
  const icon = picture ? element("span", { class: `icon icon-${picture}`, "aria-hidden": "true" }) : null;
  return element("button", { type: "button", ...attributes }, icon, text ? element("span", {}, text) : null);
}
