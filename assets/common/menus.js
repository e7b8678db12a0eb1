/* How menus behave: the search of a menu that is typed into, and the menu of recent entries, which closes as menus do. */

/** Who opens a searchable menu and types means its search. */
function toSearch(event) {
  const menu = event.target.closest?.(".dash-dropdown-content");
  const search = menu?.querySelector(".dash-dropdown-search");
  const types = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (search && types && event.target !== search) search.focus();
}

function closeMenus(event) {
  for (const menu of document.querySelectorAll("details.recent[open]")) {
    const within = event.type === "click" && menu.contains(event.target) && !event.target.closest("a");
    if (event.key === "Escape" || (event.type === "click" && !within)) menu.open = false;
  }
}

document.addEventListener("keydown", toSearch, true);
document.addEventListener("click", closeMenus);
document.addEventListener("keydown", closeMenus);
