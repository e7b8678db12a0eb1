/* Elements of the library page: dots, keeping the focus, and clicks. */
import { closest } from "../common/dom.js";
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
 * Replace the contents of an element; if a control in it has the focus, its successor gets it.
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

/**
 * Call `work` on clicks inside an element that matches a selector.
 * @param {string} selector
 * @param {(found: any, event: MouseEvent) => void} work called with the matching element
 */
export const clicked = (selector, work) =>
  document.addEventListener("click", (event) => {
    const target = closest(event, selector);
    if (target) work(target, event);
  });
