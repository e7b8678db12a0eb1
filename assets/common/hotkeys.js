/* Hotkeys of a page: which handler gets a pressed key, and the list of all keys. */
import { byId } from "./dom.js";
import { button, element } from "./elements.js";
import { root } from "./host/root.js";
import { text } from "./texts.js";

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const SCROLLING = ["ArrowUp", "ArrowDown", "Home", "End", " "]; // keys that scroll the open drawer
/** @type {Record<string, string[]>} */
const NEEDS = {
  checkbox: [" "],
  radio: [" ", ...ARROWS],
  range: [...ARROWS, "Home", "End"],
  button: [" ", "Enter", ...ARROWS],
};

/** @param {string[]} entry */
const row = ([keys, what]) => element("div", element("kbd", keys), ` ${what}`);

/**
 * Show or hide the list of keys.
 * @param {string[][]} keys pairs of keys and their effect
 */
function help(keys) {
  const open = byId("keys");
  if (open) {
    open.close();
    return;
  }
  const closeButton = button({ class: "button quiet round", "aria-label": text("keys.close") }, "", "close");
  const title = element("h2", { id: "keys-title" }, text("keys.label"));
  const dialog = element("dialog", { id: "keys", "aria-labelledby": title.id }, title, closeButton, ...keys.map(row));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Return whether an element needs the key itself: an input, a menu or a button.
 * @param {EventTarget | null} element
 * @param {string} key
 * @param {string[]} ours
 */
function needsKey(element, key, ours) {
  if (!(element instanceof Element) || ours.includes(element.id)) return false;
  if (element.closest("input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox], .ag-header")) {
    const control = element instanceof HTMLInputElement || element instanceof HTMLButtonElement; // a closed menu
    const needs = control && NEEDS[element.type];
    return !needs || needs.includes(key);
  }
  if (SCROLLING.includes(key) && element.closest("#how")) return true;
  return Boolean([" ", "Enter"].includes(key) && element.closest("button, a, summary, [role=button]"));
}

/**
 * Connect keys to a player.
 * @template Player
 * @param {string} id of an element that only the page with these keys has
 * @param {Record<string, (player: Player, shift: boolean) => unknown>} work what each key does
 * @param {string[]} ours ids of fields that leave their keys to the player
 * @param {() => Player} player
 * @param {(key: string) => boolean} waits whether a key is still inactive
 */
function listen(id, work, ours, player, waits = () => false) {
  root().addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!work[key] || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!byId(id) || needsKey(event.target, key, ours) || waits(key)) return;
    const open = [...root().querySelectorAll("dialog[open]")].filter((each) => each.id !== "how");
    if (open.length && key !== "?") return;
    event.preventDefault();
    work[key](player(), event.shiftKey);
  });
}

export const hotkeys = { help, listen };
