/* Elements made of plain JSON: texts of strangers are set as texts, never as HTML. */
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
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value || value === 0 || value === "") node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * A button with its label.
 * @param {Attributes} attributes
 * @param {string} text
 * @param {string} [picture] the name of an icon before the text
 */
function button(attributes, text, picture) {
  const icon = picture ? element("span", { class: `icon icon-${picture}`, "aria-hidden": "true" }) : null;
  return element("button", { type: "button", ...attributes }, icon, text ? element("span", {}, text) : null);
}

export { button, element };
