/* The keyboard on the race page: the player's keys, and a list of them. */
import { byId } from "../common/dom.js";
import { hotkeys } from "../common/hotkeys.js";
import { racePlayer } from "./player.js";
import { text } from "./texts.js";

/** @type {[string, string][]} */
const KEYS = [
  [text("keys.start"), text("keys.start.does")],
  [text("keys.space"), text("keys.space.does")],
  ["\u2190 \u2192", text("keys.arrows.does")],
  [text("keys.ends"), text("keys.ends.does")],
  ["L", text("keys.l.does")],
  ["D", text("keys.d.does")],
  ["?", text("keys.help.does")],
];

/** @type {Record<string, (player: typeof racePlayer, shift: boolean) => void>} */
const work = {
  " ": (player) => player.toggle(),
  ArrowLeft: (player, shift) => player.step(shift ? -10 : -1),
  ArrowRight: (player, shift) => player.step(shift ? 10 : 1),
  Home: (player) => player.seek(0),
  End: (player) => player.seek(player.duration()),
  l: (player) => player.live(),
  d: () => byId("race-differ").click(),
  "?": () => hotkeys.help(KEYS),
};

hotkeys.listen("race-panels", work, ["race-scrub"], () => racePlayer);
