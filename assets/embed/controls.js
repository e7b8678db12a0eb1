/* Controls shared by standalone runs and races. */
import { button, element } from "../common/elements.js";
import { text as common } from "../common/texts.js";

/** @typedef {import("../common/elements.js").Attributes} Attributes */

/**
 * @param {Attributes} attributes
 * @param {...(Node | string | null)} children
 */
const div = (attributes, ...children) => element("div", attributes, ...children);

/**
 * A button that only shows an icon.
 * @param {string} id
 * @param {string} title
 * @param {string} icon
 */
const pictured = (id, title, icon) =>
  button({ id, class: `button${icon === "play" ? " primary" : ""}`, title, "aria-label": title }, "", icon);

/**
 * Buttons for stepping.
 * @param {string} prefix of their ids
 * @param {string} what
 * @param {string} step
 */
const steps = (prefix, what, step) =>
  div(
    { class: "steps" },
    pictured(`${prefix}-home`, common("player.home", { what }), "home"),
    pictured(`${prefix}-back`, common("player.back", { step }), "back"),
    pictured(`${prefix}-play`, common("player.play"), "play"),
    pictured(`${prefix}-forward`, common("player.forward", { step }), "forward"),
    pictured(`${prefix}-end`, common("player.end", { what }), "end"),
  );

/** The button that changes the theme. */
const themeButton = () => pictured("theme", common("header.theme"), "theme");

/**
 * A player made of these parts.
 * @param {string} id
 * @param {...Node} parts
 */
const player = (id, ...parts) =>
  div({ id, class: "player", role: "group", "aria-label": common("player.label") }, ...parts, themeButton());

export { div, player, steps };
