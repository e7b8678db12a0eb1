/* Links between stage and settings on a phone, where they are separate screens. */
import { byId, clicked, when } from "./dom.js";

/** Return the settings changed most: the algorithm's, below its menu; on the race page, the lanes. */
const settings = () =>
  document.querySelector(".settings .field:has(#algorithm)") || document.querySelector(".setup .settings");

/**
 * Move to a part of the page, with the keyboard focus.
 * @param {HTMLElement | null} place
 */
function moveTo(place) {
  if (!place) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "start" });
}

clicked("#to-settings", () => moveTo(/** @type {HTMLElement | null} */ (settings())));
clicked("#to-stage", () => moveTo(byId("stage")));
when(
  () => document.querySelector(".setup .settings"),
  (form) => {
    const markPart = (/** @type {IntersectionObserverEntry[]} */ entries) => {
      document.body.dataset.at = entries.at(-1)?.isIntersecting ? "settings" : "stage";
    };
    // anything that crosses the middle of the window counts as visible
    new IntersectionObserver(markPart, { rootMargin: "-50% 0px" }).observe(form);
  },
);
