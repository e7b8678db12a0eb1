/* The player's buttons, scrub bars and speed: handles their events by delegation, and updates what they show. */
import { byId, closest, setText, throttle, when } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { root } from "../../common/host/root.js";
import { text as common } from "../../common/texts.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { views } from "../views.js";
import { player } from "./players.js";

const { SPEEDS, state } = player;
/** @type {Record<string, () => unknown>} */
const CLICKS = {
  "player-home": player.goToStart,
  "player-back": () => player.step(-1),
  "player-play": player.toggle,
  "player-forward": () => player.step(1),
  "player-end": player.end,
  "player-live": () => (state.live ? player.pause() : player.live()),
  "run-step": () => state.live || player.live(), // a step of the run shows its current position
};
/** @type {Record<string, (value: number) => unknown>} */
const INPUTS = {
  "player-climb": (value) => player.playClimb(value, state.playing),
  "player-move": player.seek,
  "player-speed": player.setSpeed,
};
const COMMANDS = ["run-pause", "run-resume", "run-step", "run-cancel"];
/** Buttons that return the keyboard focus to the player after a mouse click. */
const RETURNS = [...Object.keys(CLICKS), "start", "run-pause", "run-resume", "run-cancel"];

root().addEventListener("click", (event) => {
  const button = closest(event, "button");
  if (!button) return;
  CLICKS[button.id]?.();
  if (event.detail > 0 && RETURNS.includes(button.id)) button.blur();
});

root().addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement) INPUTS[target.id]?.(Number(target.value));
});

/**
 * Set the ends and the value of a range input; while a person drags it, its value stays.
 * @param {string} id
 * @param {number} value
 * @param {number} max
 */
function range(id, value, max) {
  const element = byId(id);
  if (!element) return;
  if (element.max !== String(max)) element.max = String(max);
  if (element.value !== String(value)) element.value = String(value);
}

/**
 * Show the value of a range input, also to screen readers.
 * @param {string} id
 * @param {string} label
 * @param {string} [unit]
 */
function showRange(id, label, unit = "") {
  setText(`${id}-label`, label);
  byId(id)?.setAttribute("aria-valuetext", `${unit} ${label.replaceAll(format.THIN, "")}`.trim());
}

/**
 * @param {string} id
 * @param {boolean} pressed
 */
const press = (id, pressed) => byId(id)?.setAttribute("aria-pressed", String(pressed));

/**
 * Enable controls while a run is open; its commands also need a connection (`offerCommands`).
 * @param {string} id
 * @param {boolean} here
 */
function offer(id, here) {
  const control = byId(id);
  if (control && !COMMANDS.includes(id) && control.disabled === here) control.disabled = !here;
}

/** @param {number} speed position of the slider */
function speedText(speed) {
  if (speed >= SPEEDS.length) return text("player.speed.live");
  const { iteration, step } = run.units();
  return text("player.speed.rate", {
    speed: SPEEDS[speed],
    steps: format.plural(views.isShown("tour") ? step : iteration),
  });
}

/**
 * Label a button with what it does on this run.
 * @param {string} id
 * @param {string} name
 */
function call(id, name) {
  const control = byId(id);
  if (!control || control.title === name) return;
  control.title = name;
  control.setAttribute("aria-label", name);
}

/** Label the buttons with climbers and moves, or with the units of the run's algorithm. */
function callButtons() {
  const { iteration, step } = run.units();
  const byTour = views.isShown("tour");
  const walk = iteration === "climber" ? text("player.walk") : format.unit(iteration);
  const what = byTour ? walk : text("player.run");
  const one = { step: text("player.step", { step: format.unit(byTour ? step : iteration) }) };
  call("player-home", common("player.home", { what }));
  call("player-end", common("player.end", { what }));
  call("player-back", common("player.back", one));
  call("player-forward", common("player.forward", one));
}

/** After the run has ended, the button that followed it shows its best tour. */
function nameLive() {
  const ended = Boolean(run.id) && !run.active();
  setText("player-live-name", ended ? text("player.best") : common("player.live"));
  const button = byId("player-live");
  if (!button) return;
  button.title = text(ended ? "player.best.title" : "player.live");
  button.dataset.ended = String(ended);
}

function show() {
  const { climb, position, playing, speed, live } = state;
  const shownClimb = player.shown();
  const { known, id, place } = run;
  const { iteration, step } = run.units();
  const more = shownClimb && !shownClimb.whole ? "+" : ""; // the climb continues beyond the known part
  const count = shownClimb && !live ? shownClimb.count : position;
  const size = player.stride();
  range("player-climb", climb, Math.max(0, known - 1));
  range("player-move", position, count);
  if (byId("player-move")) byId("player-move").step = String(size);
  range("player-speed", speed, byId("player-live") ? SPEEDS.length : SPEEDS.length - 1);
  const moves = live
    ? format.integer(position / size)
    : text("player.moves", { at: position / size, all: count / size, more });
  for (const control of [...Object.keys(CLICKS), "player-climb", "player-move"]) offer(control, Boolean(id));
  showRange(
    "player-climb",
    id ? place(climb, Math.max(known - 1, run.rows - 1, climb)) : text("player.idle"),
    id ? format.unit(iteration) : "",
  );
  showRange("player-move", id ? moves : text("player.idle"), id ? format.unit(step) : "");
  showRange("player-speed", speedText(speed));
  callButtons();
  press("player-play", playing);
  press("player-live", live);
  byId("player")?.setAttribute("aria-busy", String(player.isLoading()));
}

/**
 * Without the server, commands are disabled.
 * @param {boolean} connected
 */
function offerCommands(connected) {
  for (const id of COMMANDS) if (byId(id)) byId(id).disabled = !connected;
}

const showSoon = throttle(show, 250);
on(["player", "view"], show);
on("log", showSoon);
on("closed", show);
on(["opened", "state", "closed"], nameLive);
on("connection", offerCommands);
when(() => byId("player-speed"), show);
