import { element } from "../common/elements.js";

/**
 * Return the dot of an algorithm.
 * @param {string} colour of the style sheet
 */
export function dot(colour) {
  const node = element("i.algorithm-dot", { "aria-hidden": "true" });
  node.style.setProperty("--lane", `var(--${colour})`);
  return node;
}

/**
 * Replace the contents of an element; if a control in it has the focus, the control that replaces it gets the focus.
 * @param {HTMLElement} place
 * @param {() => void} change
 */
export function refill(place, change) {
  const active = document.activeElement;
  const row = active?.closest("[data-key]")?.getAttribute("data-key");
  const values = [...(active?.attributes || [])].filter(({ name }) => /^(data-.*|class|value)$/.test(name));
  const control = values.map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`).join("");
  const hadFocus = place.contains(active);
  change();
  if (!hadFocus || place.contains(document.activeElement)) return;
  /** @type {HTMLElement | null} */
  const next = place.querySelector(`${row ? `[data-key="${CSS.escape(row)}"] ` : ""}${control}`);
  next?.focus();
}
