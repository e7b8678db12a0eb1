/* The embedded player of a page: a new one for each run, since each has modules of its own. */
import { byId } from "../common/dom.js";
import { element } from "../common/elements.js";

/** Return the elements of the player; null before the first run. */
const root = () => byId("site-player")?.firstElementChild?.shadowRoot ?? null;

/**
 * Show a packed run.
 * @param {Embedded} embedded
 * @param {Uint8Array} bytes
 * @param {boolean} [idle] whether it shows only the cities
 */
async function show(embedded, bytes, idle = false) {
  /** @type {HTMLElement | null | undefined} */ (root()?.getElementById("player-end"))?.click(); // the previous player stops
  const host = element("div", { class: idle ? "in-site idle" : "in-site" });
  byId("site-player").replaceChildren(host);
  await window.showRun(host, embedded, bytes, false);
}

/**
 * Show another climb of the run.
 * @param {number} climber
 */
function showClimb(climber) {
  const range = /** @type {HTMLInputElement | null | undefined} */ (root()?.getElementById("player-climb"));
  if (!range) return;
  range.value = String(climber);
  range.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Pass the player all keys that nothing else on the page needs. @param {KeyboardEvent} event */
function pass(event) {
  if (event.target !== document.body || !root()) return;
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  // The copy does not leave the player, so it does not press the page's own keys again.
  const again = new KeyboardEvent("keydown", {
    ...{ key, shiftKey, ctrlKey, metaKey, altKey },
    bubbles: true,
    cancelable: true,
  });
  root()?.getElementById("stage")?.dispatchEvent(again);
  if (again.defaultPrevented) event.preventDefault();
}

document.addEventListener("keydown", pass);
export const player = { root, show, showClimb };
