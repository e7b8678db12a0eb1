/* Who plays: on the tour the player that walks climbs, in the views of a colony the one that goes by iterations. */
import { on } from "../../common/events.js";
import { views } from "../views.js";
import { iterationPlayer } from "./iterations.js";
import { climbPlayer } from "./player.js";
import { SPEEDS, state } from "./state.js";

const SHARED = [
  "play",
  "pause",
  "toggle",
  "seek",
  "step",
  "climbBy",
  "playClimb",
  "home",
  "end",
  "live",
  "setSpeed",
  "shown",
  "isLoading",
];

let now = climbPlayer;

function choose(view) {
  const next = view === "tour" ? climbPlayer : iterationPlayer;
  if (next === now) return false;
  now.leave();
  now = next;
  return true;
}

/** Another view is shown: its player goes on where the other one came to. */
on("viewed", (view) => {
  if (choose(view)) now.enter();
});
on("opened", () => {
  choose(views.due());
  now.open();
});

function reset() {
  iterationPlayer.reset();
  climbPlayer.reset();
}

const shared = Object.fromEntries(SHARED.map((name) => [name, (...given) => now[name](...given)]));
export const player = { ...shared, state, SPEEDS, reset };
