/* Controls shared by standalone runs and races. */
import { button, element } from "../common/elements.js";
import { text as common } from "../common/texts.js";

/**
 * Make a button that only shows an icon.
 * @param {string} id
 * @param {string} title
 * @param {string} icon
 */
const makeIconButton = (id, title, icon) =>
  button({ id, class: `button${icon === "play" ? " primary" : ""}`, title, "aria-label": title }, "", icon);

/**
 * Make the buttons for stepping.
 * @param {string} prefix of their ids
 * @param {string} what
 * @param {string} step
 */
export const steps = (prefix, what, step) =>
  element(
    "div.steps",
    makeIconButton(`${prefix}-home`, common("player.home", { what }), "home"),
    makeIconButton(`${prefix}-back`, common("player.back", { step }), "back"),
    makeIconButton(`${prefix}-play`, common("player.play"), "play"),
    makeIconButton(`${prefix}-forward`, common("player.forward", { step }), "forward"),
    makeIconButton(`${prefix}-end`, common("player.end", { what }), "end"),
  );

/** Make the button that changes the theme. */
const themeButton = () => makeIconButton("theme", common("header.theme"), "theme");

/**
 * Make a player made of these parts.
 * @param {string} id
 * @param {...Node} parts
 */
export const player = (id, ...parts) =>
  element("div.player", { id, role: "group", "aria-label": common("player.label") }, ...parts, themeButton());
