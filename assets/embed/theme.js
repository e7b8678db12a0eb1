/*
 * The light or dark theme, from the address, the surrounding notebook or the browser's preference, until a person
 * chooses one.
 */
import { byId, findThemedElement } from "../common/dom.js";
import { emit } from "../common/events.js";

const DARK = window.matchMedia("(prefers-color-scheme: dark)");

/** Return the theme in the address, which only a standalone file has. */
const addressTheme = () => new URLSearchParams(window.location.search || "").get("theme") || "";

/**
 * Return the theme of the surrounding notebook, which JupyterLab, VS Code and Colab each mark differently; empty if
 * unknown.
 */
function findSurroundingTheme() {
  const { body, documentElement: root } = document;
  const { jpThemeLight } = body.dataset;
  if (jpThemeLight) return jpThemeLight === "false" ? "dark" : "light";
  const code = [...body.classList].find((name) => /^vscode-(light|dark|high-contrast)/.test(name));
  if (code) return /light/.test(code) ? "light" : "dark";
  return root.getAttribute("theme") || "";
}

/** @param {string} theme */
function paint(theme) {
  if (findThemedElement().dataset.bsTheme === theme) return;
  findThemedElement().dataset.bsTheme = theme;
  emit("theme", theme);
}

/** Use the theme of the surrounding page, and follow its changes. */
export function followTheme() {
  const isTheme = (/** @type {string} */ name) => name === "light" || name === "dark";
  const chooseTheme = () => [addressTheme(), findSurroundingTheme()].find(isTheme) || (DARK.matches ? "dark" : "light");
  let chosen = "";
  const follow = () => paint(chosen || chooseTheme());
  follow();
  DARK.addEventListener("change", follow);
  const changes = new MutationObserver(follow);
  for (const element of [document.body, document.documentElement]) changes.observe(element, { attributes: true });
  byId("theme").addEventListener("click", () => {
    chosen = findThemedElement().dataset.bsTheme === "dark" ? "light" : "dark";
    follow();
  });
}
