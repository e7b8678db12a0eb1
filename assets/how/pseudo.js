/* Highlights the pseudo-code line of the current step, and scrolls to it inside the drawer only. */

/** @type {HTMLElement | null} */
let lit = null;

/**
 * Scroll this box, and nothing else, until an element is visible in it.
 * @param {HTMLElement} box
 * @param {HTMLElement} element
 */
function reveal(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const middle = inner.top - outer.top - (outer.height - inner.height) / 2;
  box.scrollBy({ top: middle, behavior: still ? "instant" : "smooth" });
  // content gets its final height only when scrolling makes it visible
  box.addEventListener("scrollend", () => element === lit && reveal(box, element), { once: true });
}

/**
 * Highlight the line with this label, if there is one.
 * @param {HTMLElement} box scrolling element
 * @param {string | null} label
 * @param {boolean} follow whether to scroll to the line
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
