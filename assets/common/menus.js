/*
 * Behaviour of menus: names of Dash's menus for screen readers, searching by typing, and closing the menus of recent
 * entries and downloads.
 */
import { closest } from "./dom.js";
import { text } from "./texts.js";

const GUARDS = document.getElementsByClassName("dash-dropdown-focus-target"); // a live collection
const LISTS = document.getElementsByClassName("dash-dropdown-content");

/**
 * Dash makes an input that is hidden from screen readers the tab stop of a menu, and names its button by the chosen
 * value. Here the button itself becomes the tab stop and a combobox, named by its label, with the choice as its value.
 * @param {HTMLElement} guard the hidden input before its button
 */
function fixMenu(guard) {
  const button = guard.nextElementSibling;
  if (!(button instanceof HTMLButtonElement)) return;
  guard.hidden = true;
  button.tabIndex = 0;
  button.setAttribute("role", "combobox");
  button.setAttribute("aria-haspopup", "dialog");
  button.removeAttribute("aria-labelledby");
}

/**
 * Correct the roles of an opened menu. It is a dialog without a name, with options that each contain a focusable radio
 * or checkbox. An option must not contain controls, so only the radios and checkboxes keep their roles.
 * @param {Element} list
 */
function fixList(list) {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector(`[role="combobox"][aria-controls="${list.id}"]`);
  const name = button?.labels[0]?.firstChild?.textContent;
  if (name) list.setAttribute("aria-label", name);
  for (const option of list.querySelectorAll("[role=option], [aria-selected]")) {
    option.removeAttribute("role");
    option.removeAttribute("aria-selected");
  }
  const choices = list.querySelector("[role=listbox]");
  choices?.setAttribute("role", choices.querySelector("[type=radio]") ? "radiogroup" : "group");
  if (name) list.querySelector(":is([role=radiogroup], [role=group])")?.setAttribute("aria-label", name);
  list.querySelector(".dash-dropdown-search")?.setAttribute("aria-label", text("menu.search"));
}

function fixMenus() {
  for (const guard of GUARDS) if (guard instanceof HTMLElement && !guard.hidden) fixMenu(guard);
  for (const list of LISTS) fixList(list);
}

// Dash creates and removes menus as forms change, and creates their lists when they open.
const CHANGES = { childList: true, subtree: true, attributeFilter: ["aria-selected"] };
new MutationObserver(fixMenus).observe(document.documentElement, CHANGES);

/**
 * Redirect typing in an open searchable menu to its search.
 * @param {KeyboardEvent} event
 */
function toSearch(event) {
  /** @type {HTMLElement | null | undefined} */
  const search = closest(event, ".dash-dropdown-content")?.querySelector(".dash-dropdown-search");
  const types = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (search && types && event.target !== search) search.focus();
}

/** @param {KeyboardEvent | MouseEvent} event */
function closeMenus(event) {
  if ("key" in event && event.key !== "Escape") return;
  if (!event.isTrusted) return; // for example, a script clicks a download link
  const within = event.type !== "click" || closest(event, "dialog, details:is(.recent, .save-menu)");
  if (within && document.querySelector("dialog[open]")) return; // a menu may have opened it, and gets the focus back
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const menus = document.querySelectorAll("details:is(.recent, .save-menu)[open]");
  for (const menu of menus) {
    const stays =
      event.type === "click" && closest(event, "details:is(.recent, .save-menu)") === menu && !closest(event, "a");
    if (stays) continue;
    if (event.type === "keydown" && menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    menu.open = false;
  }
}

document.addEventListener("keydown", toSearch, true);
document.addEventListener("click", closeMenus);
document.addEventListener("keydown", closeMenus);
