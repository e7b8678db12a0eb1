/* Where the keyboard is: links that skip what comes before, the buttons of a run, which take each other's place, and
   Start from anywhere in a form. */
import { closest } from "./dom.js";

/** @type {HTMLElement | null} */
let command = null; // the button of a run that has the keyboard, or had it until it was hidden or disabled

/**
 * The first button that a selector finds and that can be pressed.
 * @param {string} selector
 * @returns {HTMLElement | undefined}
 */
function pressable(selector) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll(selector);
  return [...buttons].find(takesKeys);
}

/** @param {HTMLElement} element */
const takesKeys = (element) => element.matches(":enabled") && element.getClientRects().length > 0;

/** @param {Element | null} element */
const isLost = (element) => !element || element === document.body || !element.getClientRects().length;

/** Start is disabled while it is heard and gives its place to Pause, which gives it to Resume: the keyboard stays there. */
function keep() {
  if (!command || !isLost(document.activeElement)) return;
  (takesKeys(command) ? command : pressable(".commands .button"))?.focus();
}

document.addEventListener("focusin", (event) => {
  command = closest(event, ".commands .button");
});
// Who presses with a mouse gives the keyboard to the player: see `assets/watch/player/controls.js`.
document.addEventListener("pointerdown", () => {
  command = null;
});
new MutationObserver(keep).observe(document.documentElement, {
  subtree: true,
  attributeFilter: ["disabled", "data-run-state"],
});

// Without the address: that is what the page shows.
document.addEventListener("click", (event) => {
  const link = closest(event, "a.skip");
  if (!link) return;
  event.preventDefault();
  document.getElementById((link.getAttribute("href") || "").slice(1))?.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const open = document.querySelector("dialog[open]");
  const button = pressable(open ? "dialog[open] .sheet-foot .primary" : ".commands .when-idle");
  if (!button) return;
  event.preventDefault();
  button.focus();
  button.click();
});
