/* The line of the pseudo-code that the step on the page is of: it is lit, and scrolled to within the drawer alone. */

/** @type {HTMLElement | null} */
let lit = null;

/**
 * Scroll only this box until an element is visible in it.
 * @param {HTMLElement} box
 * @param {HTMLElement} element
 */
function reveal(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const middle = inner.top - outer.top - (outer.height - inner.height) / 2;
  box.scrollBy({ top: middle, behavior: still ? "instant" : "smooth" });
  // what comes into sight on the way gets its own height only then
  box.addEventListener("scrollend", () => element === lit && reveal(box, element), { once: true });
}

/**
 * Highlight the line with that label, if there is one.
 * @param {HTMLElement} box what scrolls
 * @param {string | null} label
 * @param {boolean} follow whether the line is scrolled to
 */
export function light(box, label, follow) {
  /** @type {HTMLElement | null} */
  const line = label ? box.querySelector(`.pseudo [data-line="${CSS.escape(label)}"]`) : null;
  if (line === lit && line?.isConnected) return;
  lit?.removeAttribute("aria-current");
  lit = line;
  line?.setAttribute("aria-current", "step");
  if (line && follow) reveal(box, line);
}
