/* Light and dark theme: notifies everything that reads colours from the style sheet, and repaints the graphs. */
import { register } from "./callbacks.js";
import { emit } from "./events.js";

const root = document.documentElement;
/** @param {unknown} name */
const isTheme = (name) => name === "light" || name === "dark";

/** @type {string | null} */
let addressTheme = new URLSearchParams(window.location.search || "").get("theme"); // until a person chooses

/** @param {unknown} theme ignored unless it is a theme */
function paint(theme) {
  if (isTheme(theme)) root.dataset.bsTheme = String(theme);
  document.body.dataset.agThemeMode = root.dataset.bsTheme;
  emit("theme", root.dataset.bsTheme);
}

register("theme", {
  // The browser's preference applies until a person or the address has chosen.
  show: (saved) => paint(isTheme(addressTheme) ? null : saved),
  toggle() {
    const chosen = root.dataset.bsTheme === "dark" ? "light" : "dark";
    if (isTheme(addressTheme)) {
      addressTheme = null;
      paint(chosen); // may equal the stored one, for which there is no event
    }
    return chosen;
  },
  // The current theme: the stored one, else the browser's preference.
  seen: (saved) => (isTheme(saved) && !isTheme(addressTheme) ? saved : root.dataset.bsTheme),
});
