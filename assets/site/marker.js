/* Marks a step's parts in the page's form and in its embedded player. */
import { byId } from "../common/dom.js";
import { player } from "./player.js";

const ATTRIBUTE = "data-lesson-mark";
/** Parts of the player, and of the page, by the names used in lessons. @type {Record<string, string>} */
const PLAYER = { length: "#hud-length", gap: "#hud-gap", tour: ".canvas", player: "#player" };
/** @type {Record<string, string>} */
const PAGE = { start: "#start", table: "#site-climbs" };

/** @type {string[]} */
let names = [];

/** @param {string} name */
function findPart(name) {
  if (name in PLAYER) return player.root()?.querySelector(PLAYER[name]);
  return name in PAGE ? document.querySelector(PAGE[name]) : byId("site-form").elements.namedItem(name)?.parentElement;
}

/** Mark the step's parts again, in a new player. */
function renew() {
  for (const place of [document, player.root()])
    for (const element of place?.querySelectorAll(`[${ATTRIBUTE}]`) || []) element.removeAttribute(ATTRIBUTE);
  for (const name of names) findPart(name)?.setAttribute(ATTRIBUTE, "");
}

/**
 * Mark these parts, and no others.
 * @param {string[]} marked
 */
function show(marked) {
  names = marked;
  renew();
}

export const marker = { show, renew };
