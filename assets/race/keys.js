/* The keyboard on the race page: the player's keys, and a list of them. */
import { basePath, byId } from "../common/dom.js";
import { emit } from "../common/events.js";
import { hotkeys } from "../common/hotkeys.js";
import { present } from "../common/present/present.js";
import { racePlayer } from "./player.js";
import { race } from "./state.js";
import { text } from "./texts.js";

const TWENTIETH = 50; // a presenter's step, in thousandths of the race

/** @type {[string, string][]} */
const KEYS = [
  [text("keys.start"), text("keys.start.does")],
  [text("keys.space"), text("keys.space.does")],
  ["\u2190 \u2192", text("keys.arrows.does")],
  [text("keys.ends"), text("keys.ends.does")],
  ["L", text("keys.l.does")],
  ["D", text("keys.d.does")],
  ["P", text("keys.p.does")],
  [text("keys.remote"), text("keys.remote.does")],
  ["?", text("keys.help.does")],
];

/** @typedef {(player: typeof racePlayer, shift: boolean) => void} Work */

/**
 * Make the function of a key that controls the player; such a key also stops following a lecture.
 * @param {Work} act
 * @returns {Work}
 */
const makeControl = (act) => (player, shift) => {
  emit("worked");
  act(player, shift);
};

/** @type {Record<string, Work>} */
const work = {
  " ": makeControl((player) => player.toggle()),
  ArrowLeft: makeControl((player, shift) => player.step(shift ? -10 : -1)),
  ArrowRight: makeControl((player, shift) => player.step(shift ? 10 : 1)),
  Home: makeControl((player) => player.seek(0)),
  End: makeControl((player) => player.seek(player.duration())),
  l: makeControl((player) => player.live()),
  d: () => byId("race-differ").click(),
  ...present.keys((/** @type {typeof racePlayer} */ player, by) => {
    emit("worked");
    player.step(by * TWENTIETH);
  }),
  "?": () => hotkeys.help(KEYS),
};

/** Return the address of the shown moment. */
function link() {
  const { href, origin } = window.location;
  const { id, compared } = race;
  const at = racePlayer.milliseconds() / 1000;
  return id ? `${origin}${basePath()}race/?${compared ? "runs" : "id"}=${id}&at=${at}` : href;
}

present.links(link);

hotkeys.listen("race-panels", work, ["race-scrub"], () => racePlayer, present.waits);
