/* The keyboard on the page of one run: the player's keys, and a list of them. */
import { basePath } from "../../common/dom.js";
import { how } from "../../common/how/opener.js";
import { hotkeys } from "../../common/hotkeys.js";
import { present } from "../../common/present/present.js";
import { instances } from "../../instances/dialog.js";
import { moatsSwitch } from "../bound/zones.js";
import { guide } from "../guide/guide.js";
import { run } from "../run.js";
import { optimalSwitch, sharedSwitch } from "../status/status.js";
import { text } from "../texts.js";
import { chooser } from "../tour/chooser.js";
import { player, playerKeys } from "./players.js";

/** @type {[keys: string, what: string][]} */
const KEYS = [
  [text("keys.names.start"), text("keys.start")],
  [text("keys.names.space"), text("keys.play")],
  ["\u2190 \u2192", text("keys.moves")],
  ["\u2191 \u2193", text("keys.climbs")],
  [text("keys.names.ends"), text("keys.ends")],
  ["L", text("keys.live")],
  ["E", text("keys.edge")],
  ["O", text("keys.optimal")],
  ["D", text("keys.shared")],
  ["Z", text("keys.moats")],
  ["H", text("keys.how")],
  ["/", text("keys.instances")],
  ["P", text("keys.present")],
  [text("keys.names.remote"), text("keys.remote")],
  ["G", text("keys.guide")],
  ["?", text("keys.help")],
];
const ALWAYS = ["o", "d", "z", "p", "g", "h", ".", "b", "/", "?"]; // the others control the player, which needs a run

/** @type {typeof playerKeys} */
const work = {
  ...playerKeys,
  l: (player) => player.live(),
  o: () => optimalSwitch()?.click(), // through the switch on the page, so that it always shows the current state
  d: () => sharedSwitch()?.click(),
  z: () => moatsSwitch()?.click(),
  ...present.keys((/** @type {typeof player} */ playing, by) => playing.step(by)),
  g: () => guide.open(),
  h: () => how.openCurrent(),
  "/": () => instances.open(),
  "?": () => hotkeys.help(KEYS),
};

/** @param {string} key */
const waits = (key) => chooser.takes(key) || (!ALWAYS.includes(key) && !run.id) || present.waits(key);

/** Return the address of the shown move. */
function link() {
  const { href, origin } = window.location;
  const { climb, position } = player.state;
  return run.id ? `${origin}${basePath()}?run=${run.id}&climb=${climb}&move=${position}` : href;
}

present.links(link);
hotkeys.listen("tour", work, ["player-climb", "player-move"], () => player, waits);
