/* Brings the map onto the screen of a phone when something is to be seen or chosen on it. */
import { byId } from "../dom.js";

const NARROW = window.matchMedia("(max-width: 767.98px)"); // the form, the player and a question lie below the map

/**
 * Scroll without animation, since a tap may follow.
 * @param {"start" | "center"} [block] where on the screen the map is placed
 */
export function bringMap(block = "start") {
  if (NARROW.matches) byId("tour")?.scrollIntoView({ block, behavior: "instant" });
}
