/* Elements made from plain JSON: untrusted strings are set as text, never as HTML. */
/**
 * @typedef {Record<string, string | number | boolean | null | undefined>} Attributes those that are null or false are
 * left out
 */

/**
 * Make an element; strings become text.
 * @template {string} Selector
 * @param {Selector} selector its tag and classes: "p.note"
 * @param {...(Attributes | Node | string | null)} parts attributes, if there are any, then children
 * @returns {SelectedElement<Selector>}
 */
export function element(selector, ...parts) {
  const [tag, ...classes] = selector.split(".");
  const given = parts[0]?.constructor === Object ? /** @type {Attributes} */ (parts.shift()) : {};
  const node = document.createElement(tag);
  const attributes = /** @type {Attributes} */ ({ class: classes.join(" ") || null, ...given });
  for (const [key, value] of Object.entries(attributes)) {
    if (value || value === 0 || value === "") node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(.../** @type {(Node | string)[]} */ (parts.filter((part) => part !== null)));
  return /** @type {any} */ (node);
}

/**
 * Make a labelled button.
 * @param {Attributes} attributes
 * @param {string} text
 * @param {string} [picture] name of an icon before the text
 */
export function button(attributes, text, picture) {
  const icon = picture ? element("span", { class: `icon icon-${picture}`, "aria-hidden": "true" }) : null;
  return element("button", { type: "button", ...attributes }, icon, text ? element("span", text) : null);
}
