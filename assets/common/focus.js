/*
 * Keeps the keyboard focus: skip links, buttons that replace each other or are rebuilt, and Start from anywhere in a
 * form.
 */
import { clicked, closest } from "./dom.js";

const PATIENCE = 3000; // milliseconds that Ctrl+Enter waits for a disabled button
let pressUntil = 0; // time until which Ctrl+Enter waits
/** @type {{ button: HTMLElement, group: HTMLElement } | null} */
let stored = null; // the button or lane that has the focus, or had it until it was removed

/** @param {HTMLElement} element */
const takesKeys = (element) => element.matches(":enabled") && element.getClientRects().length > 0;

/**
 * Return the first enabled button that matches a selector.
 * @param {ParentNode} place
 * @param {string} selector
 * @returns {HTMLElement | undefined}
 */
function findEnabledButton(place, selector) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = place.querySelectorAll(selector);
  return [...buttons].find(takesKeys);
}

/** When a button is removed, move the focus to its replacement, else to the first button of its group. */
function restoreFocus() {
  if (!stored) return;
  const { button, group } = stored;
  const now = document.activeElement;
  if (now !== document.body && (now !== button || takesKeys(button))) return;
  const successor = [button, document.getElementById(button.id)].find((candidate) => candidate && takesKeys(candidate));
  (successor || findEnabledButton(group, "button"))?.focus();
}

document.addEventListener("focusin", (event) => {
  const group = closest(event, ".commands, .lanes-field");
  const button = closest(event, "button");
  stored = group && button && { button, group };
});
// A mouse press moves the focus to the player: see `assets/watch/player/controls.js`. The press itself comes after the
// button's `focusin`, so only the click tells.
document.addEventListener("click", (event) => {
  if (event.detail > 0 && closest(event, ".commands")) stored = null;
});
document.addEventListener("pointerdown", () => {
  stored = null;
});
// Start is disabled until the server answers; Pause then replaces it, and Resume replaces Pause.
new MutationObserver(() => {
  restoreFocus();
  if (performance.now() < pressUntil) press();
}).observe(document.documentElement, {
  subtree: true,
  attributeFilter: ["disabled", "data-run-state"],
});
// A list of lanes is rebuilt on each change.
new MutationObserver(() => stored && document.activeElement === document.body && restoreFocus()).observe(
  document.documentElement,
  { subtree: true, childList: true },
);

// Leave the address unchanged: it still names the current run.
clicked("a.skip", (link, event) => {
  event.preventDefault();
  document.getElementById((link.getAttribute("href") || "").slice(1))?.focus();
});

/**
 * Press Start, or the primary button of the open dialog; return whether there is one, though it may be disabled while
 * the server answers.
 */
function press() {
  const open = document.querySelector("dialog[open]");
  const [place, selector] = open ? [open, ".sheet-foot .primary"] : [document, ".commands .when-idle"];
  const button = findEnabledButton(place, selector);
  if (button) {
    pressUntil = 0;
    button.focus();
    button.click();
  }
  return (
    Boolean(button) || [...place.querySelectorAll(selector)].some((element) => element.getClientRects().length > 0)
  );
}

document.addEventListener("keydown", (event) => {
  pressUntil = 0;
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  pressUntil = performance.now() + PATIENCE;
  if (press()) event.preventDefault();
  else pressUntil = 0;
});
