/* Buttons, scrubs and the speed of the player: their events, by delegation, and what they show. */
import { byId, setText, throttle, when } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { run } from "../run.js";
import { player } from "./players.js";

const CLICKS = {
  "player-home": (player) => player.home(),
  "player-back": (player) => player.step(-1),
  "player-play": (player) => player.toggle(),
  "player-forward": (player) => player.step(1),
  "player-end": (player) => player.end(),
  "player-live": (player) => (player.state.live ? player.pause() : player.live()),
  "run-step": (player) => player.state.live || player.live(), // a step of the run shows where the run is
};
const INPUTS = {
  "player-climb": (player, value) => player.playClimb(value, player.state.playing),
  "player-move": (player, value) => player.seek(value),
  "player-speed": (player, value) => player.setSpeed(value),
};
const COMMANDS = ["run-pause", "run-resume", "run-step", "run-cancel"];
/** Buttons that give the keyboard back to the player when they were pressed with a mouse. */
const RETURNS = [...Object.keys(CLICKS), "start", "run-pause", "run-resume", "run-cancel"];

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (CLICKS[button.id]) CLICKS[button.id](player);
  if (event.detail > 0 && RETURNS.includes(button.id)) button.blur();
});

document.addEventListener("input", (event) => {
  const work = INPUTS[event.target.id];
  if (work) work(player, Number(event.target.value));
});

/** Give a range its ends and its value; a value that a person is dragging is left alone. */
function range(id, value, max) {
  const element = byId(id);
  if (!element) return;
  if (element.max !== String(max)) element.max = String(max);
  if (element.value !== String(value)) element.value = String(value);
}

/** Show what a range says, and say it to those who hear the page. */
function tellRange(id, text, unit = "") {
  setText(`${id}-label`, text);
  const element = byId(id);
  if (element) element.setAttribute("aria-valuetext", `${unit} ${text.replaceAll(format.THIN, "")}`.trim());
}

function press(id, pressed) {
  const element = byId(id);
  if (element) element.setAttribute("aria-pressed", String(pressed));
}

function speedText(speed) {
  const { SPEEDS } = player;
  return speed < SPEEDS.length ? `${format.integer(SPEEDS[speed])}/s` : "as it comes";
}

const of = (value, all) => `${format.integer(value)} of ${format.integer(all)}`;

function show() {
  const { climb, position, playing, speed, live } = player.state;
  const shown = player.shown();
  const { known, id, place } = run;
  const { iteration, step } = run.units();
  const more = shown && !shown.whole ? "+" : ""; // the climb goes on behind what is known of it
  const count = shown && !live ? shown.count : position;
  range("player-climb", climb, Math.max(0, known - 1));
  range("player-move", position, count);
  range("player-speed", speed, player.SPEEDS.length);
  tellRange("player-climb", id ? place(climb, Math.max(known - 1, climb)) : "\u2013", id && iteration);
  const moves = live ? format.integer(position) : of(position, count) + more;
  tellRange("player-move", id ? moves : "\u2013", id && step);
  tellRange("player-speed", speedText(speed));
  press("player-play", playing);
  press("player-live", live);
  const panel = byId("player");
  if (panel) panel.setAttribute("aria-busy", String(player.isLoading()));
}

/** Without the server nothing can be told to the run. */
function offerCommands(connected) {
  for (const id of COMMANDS) if (byId(id)) byId(id).disabled = !connected;
}

const showSoon = throttle(show, 250);
on("player", show);
on("view", show);
on("log", showSoon);
on("closed", show);
on("connection", offerCommands);
when(() => byId("player-speed") && player, show);
