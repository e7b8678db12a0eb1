/* How menus behave: the search of a menu that is typed into, and the menu of recent entries, which closes as menus do. */
import { closest } from "./dom.js";

/**
 * Who opens a searchable menu and types means its search.
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
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const menus = document.querySelectorAll("details.recent[open]");
  for (const menu of menus) {
    const stays = event.type === "click" && closest(event, "details.recent") === menu && !closest(event, "a");
    if (!stays) menu.open = false;
  }
}

document.addEventListener("keydown", toSearch, true);
document.addEventListener("click", closeMenus);
document.addEventListener("keydown", closeMenus);
