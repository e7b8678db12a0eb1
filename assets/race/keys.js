/* The keyboard on the race page: the player's keys, and a list of them. */
import { hotkeys } from "../common/hotkeys.js";
import { racePlayer } from "./player.js";

/** @type {[string, string][]} */
const KEYS = [
  ["Space", "play or pause"],
  ["\u2190 \u2192", "a thousandth of the race back or on; with Shift, ten"],
  ["Home, End", "start and end of the race"],
  ["L", "follow the race live"],
  ["D", "show where two tours differ"],
  ["?", "this list"],
];

/** @type {Record<string, (player: typeof racePlayer, shift: boolean) => void>} */
const work = {
  " ": (player) => player.toggle(),
  ArrowLeft: (player, shift) => player.step(shift ? -10 : -1),
  ArrowRight: (player, shift) => player.step(shift ? 10 : 1),
  Home: (player) => player.seek(0),
  End: (player) => player.seek(player.duration()),
  l: (player) => player.live(),
  d: () => /** @type {HTMLElement | null} */ (document.querySelector("input#race-differ, #race-differ input"))?.click(),
  "?": () => hotkeys.help(KEYS),
};

hotkeys.listen("race-panels", work, ["race-scrub"], () => racePlayer);
