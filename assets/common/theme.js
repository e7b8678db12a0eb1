/* Light and dark: what takes its colours from the style sheet by itself is told, and the graphs are repainted. */
import { register } from "./callbacks.js";
import { emit } from "./events.js";

const root = document.documentElement;
/** @param {unknown} name */
const isTheme = (name) => name === "light" || name === "dark";

register("theme", {
  // The browser's preference decides until a person has.
  show(kept) {
    if (isTheme(kept)) root.dataset.bsTheme = kept;
    document.body.dataset.agThemeMode = root.dataset.bsTheme;
    emit("theme", root.dataset.bsTheme);
  },
  toggle: () => (root.dataset.bsTheme === "dark" ? "light" : "dark"),
  // The theme that is seen: what is kept may be nothing, and then the browser's preference holds.
  seen: (kept) => (isTheme(kept) ? kept : root.dataset.bsTheme),
});
