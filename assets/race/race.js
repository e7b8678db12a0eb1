/* The race that is open, and what its runs tell. */
import { byId, setText, when } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { instanceFrame, referenceOf } from "../instances/data.js";
import { stream } from "../common/stream.js";
import { Lane } from "./lane.js";
import { racePanels } from "./panels.js";
import { racePlayer } from "./player.js";
import { race } from "./state.js";

const HEADS = { every: 1 / 10, all: true }; // lanes take turns: what one has done in its turn is shown until the next

let shown = ""; // what the panels show, when no race is open
let connected = true;
let reference = ""; // the instance that is shown, as the menu has it

/** @param {Frames["instance"]} frame */
function know(frame) {
  race.instance = frame;
  race.optimum = frame.values.optimum;
  race.proven = frame.values.proven;
}

/**
 * Panels without tours, for the lanes that the setup has.
 * @param {LaneView[]} views
 * @param {string} value of the menu of instances
 */
async function preview(views, value) {
  const key = JSON.stringify([views, value]);
  if (key === shown) return;
  shown = key;
  const frame = reference === value && race.instance ? race.instance : await instanceFrame(referenceOf(value));
  if (!frame || key !== shown) return;
  reference = value;
  know(frame);
  race.views = views;
  when(
    () => document.querySelector(".lane"),
    () => racePanels.lay(views, frame),
  );
  emit("race-opened", race);
}

/**
 * Show a race.
 * @param {ToldRace} told
 */
function open(told) {
  if (told.race === race.id) {
    if (race.state !== "over") race.state = told.state; // the store may still have what it was when it began
    status();
    return;
  }
  race.state = told.state;
  shown = "";
  const lanes = told.runs.map((run, k) => new Lane(run, told.lanes[k], k));
  const { race: id, lanes: views, seconds, alone, compared = "" } = told;
  Object.assign(race, { id, lanes, views, seconds, alone, compared, instance: null });
  reference = told.instance;
  stream.close();
  for (const { run } of lanes) stream.follow(run, HEADS);
  racePlayer.open(told.state === "over");
  if (told.state !== "over") for (const lane of lanes) lane.fetchFilm();
  status();
}

/** Show no race; the runs of one that is on go on. */
function close() {
  stream.close();
  Object.assign(race, { id: null, lanes: [], state: "none", compared: "" });
  racePlayer.open(true);
  status();
}

/** @param {string} run */
const laneOf = (run) => race.lanes.find((lane) => lane.run === run);

/** @param {InstanceMessage} message */
function onInstance({ values, frames }) {
  if (!laneOf(values.run) || race.instance) return;
  know(frames[0]);
  racePanels.lay(race.views, frames[0]);
  emit("race-opened", race);
}

/** @param {LogMessage} message */
function onLog({ values, frames }) {
  const lane = laneOf(values.run);
  if (!lane) return;
  lane.take(values, frames);
  if (lane.over && !lane.filmed) {
    lane.filmed = true;
    lane.fetchFilm().then(() => racePlayer.ask());
  }
  if (race.lanes.every(({ over }) => over)) end();
  status();
  emit("race-told", race);
  racePlayer.ask();
}

/** All lanes are over: a race that was opened so stands at its end. */
function end() {
  if (race.state !== "over") race.state = "over";
  else if (!racePlayer.state.playing && racePlayer.state.clock === 0) racePlayer.live();
}

/** @param {HeadMessage} told */
function onHead({ run, frames, message }) {
  const lane = laneOf(run);
  if (!lane) return;
  stream.acknowledge(message);
  if (lane.filmed) return;
  lane.film.add(frames);
  racePlayer.ask();
}

/**
 * A run of the race is not on this server (any more): its lane stays empty, and says so.
 * @param {PageEvents["refused"]} refusal
 */
function onRefused({ run, sentence: why }) {
  const lane = laneOf(run);
  if (!lane) return;
  lane.state = "failed";
  lane.reason = why;
  lane.filmed = true;
  status();
  racePlayer.ask();
}

/** What the race is doing, in words. */
function sentence() {
  const { lanes, state, alone } = race;
  if (!connected) return "The server does not answer; trying again.";
  if (!race.id) return "The same cities, the same seconds: press Start and see who is ahead.";
  const ready = lanes.filter(({ started, over }) => started || over).length;
  if (state === "paused") return "Paused.";
  const others = alone ? "" : " Other runs were at work when it began: its seconds are upper bounds.";
  if (race.compared) return `Finished runs, side by side. ${race.compared}`;
  if (state === "over") return `The race is over.${others}`;
  if (ready < lanes.length) return `Getting ready: ${ready} of ${lanes.length} lanes. Timing has not started.`;
  return `The lanes take turns.${others}`;
}

/** How much of the race has been run, from 0 to 1. */
function share() {
  const { lanes, seconds } = race;
  if (!lanes.length || !seconds) return 0;
  return lanes.reduce((sum, lane) => sum + (lane.over ? 1 : Math.min(1, lane.known / seconds)), 0) / lanes.length;
}

function status() {
  document.body.classList.toggle("compared", Boolean(race.compared));
  document.body.dataset.runState = race.state === "over" ? "finished" : race.state;
  setText("race-state", sentence());
  const bar = byId("race-progress");
  if (bar) bar.value = share();
}

on("instance", onInstance);
on("log-message", onLog);
on("head", onHead);
on("refused", onRefused);
on("connection", (now) => {
  connected = now;
  status();
});
when(() => byId("race-state"), status);

export { close, open, preview };
