/* Elements of the library's page, which come from plain JSON: texts of strangers are set as texts, never as HTML. */
/**
 * An element with its attributes and children. A null attribute is left out; a string child is a text.
 * @param {string} name of the element
 * @param {Object} attributes
 * @param {...(Node|string|null)} children
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A button that says what it does; `picture` is the name of an icon before its text. */
function button(attributes, text, picture) {
  const icon = picture ? element("span", { class: `icon icon-${picture}`, "aria-hidden": "true" }) : null;
  return element("button", { type: "button", ...attributes }, icon, text ? element("span", {}, text) : null);
}

/** The dot of an algorithm, in its colour. */
function dot(colour) {
  const made = element("i", { class: "algorithm-dot", "aria-hidden": "true" });
  made.style.setProperty("--lane", `var(--${colour})`);
  return made;
}

export const make = { element, button, dot };
