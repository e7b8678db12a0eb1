/*
 * The button for the light and dark theme; `early/theme.js` has applied the last choice. Embedded runs follow the
 * attribute that the button sets.
 */
import { byId } from "../common/dom.js";
import { emit } from "../common/events.js";
import { browserStorage } from "../common/storage.js";

const root = document.documentElement;

/** @param {string} theme */
function paint(theme) {
  root.dataset.bsTheme = theme;
  root.setAttribute("theme", theme);
  emit("theme", theme);
}

byId("theme-toggle").addEventListener("click", () => {
  paint(root.dataset.bsTheme === "dark" ? "light" : "dark");
  browserStorage.store("theme", root.dataset.bsTheme);
});
root.setAttribute("theme", root.dataset.bsTheme || "light");
