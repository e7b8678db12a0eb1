/* The open race, and the messages of its runs. */
import { byId, setText, when } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { instanceFrame, parseReference } from "../instances/data.js";
import { viewAddress } from "../common/present/view_address.js";
import { stream } from "../common/stream.js";
import { text as common } from "../common/texts.js";
import { wait } from "../common/waiting.js";
import { Lane } from "./lane.js";
import { racePanels } from "./panels.js";
import { racePlayer } from "./player.js";
import { race } from "./state.js";
import { text } from "./texts.js";

const HEADS = { every: 1 / 10, all: true }; // the tours of a lane's turn are shown until its next turn

let visible = ""; // key of the panels without an open race
let stands = false; // whether the shown moment comes from the address
let reference = ""; // value of the instance menu

/**
 * Show panels without tours for an instance.
 * @param {Frames["instance"]} frame
 */
function prepare(frame) {
  const { optimum, proven } = frame.values;
  Object.assign(race, { instance: frame, optimum, proven });
  when(
    () => document.querySelector(".lane"),
    () => racePanels.prepare(race.views, frame),
  );
  emit("race-opened", race);
}

/**
 * Show panels without tours for the lanes of the form.
 * @param {LaneView[]} views
 * @param {string} value of the instance menu
 */
export async function preview(views, value) {
  const key = JSON.stringify([views, value]);
  if (key === visible) return;
  visible = key;
  if (reference !== value) wait("loading", common("waiting.loading"));
  const frame = reference === value && race.instance ? race.instance : await instanceFrame(parseReference(value));
  if (key === visible) wait("loading", "");
  if (!frame || key !== visible) return;
  reference = value;
  race.views = views;
  prepare(frame);
}

/**
 * Show a race.
 * @param {ShownRace} stored
 */
export function open({
  race: id,
  runs,
  lanes: views,
  state,
  instance,
  seconds,
  seed = null,
  alone,
  own = true,
  compared = "",
}) {
  if (id !== race.id) {
    visible = "";
    reference = instance;
    const lanes = runs.map((run, k) => new Lane(run, views[k], k));
    Object.assign(race, { id, lanes, views, state, seconds, seed, alone, own, compared, instance: null });
    stands = false;
    stream.close();
    for (const { run } of lanes) stream.follow(run, HEADS);
    racePlayer.open(state === "over");
    if (state !== "over") for (const lane of lanes) lane.fetchFilm();
  } else if (race.state !== "over") race.state = state; // the store may still have its initial state
  status();
}

/** Close the race on this page; its runs continue. */
export function close() {
  stream.close();
  Object.assign(race, { id: null, lanes: [], state: "none", compared: "" });
  racePlayer.open(true);
  status();
}

/** @param {string} run */
const findLane = (run) => race.lanes.find((lane) => lane.run === run);

/** @param {InstanceMessage} message */
function onInstance({ values, frames }) {
  if (findLane(values.run) && !race.instance) prepare(frames[0]);
}

/** @param {LogMessage} message */
function onLog({ values, frames }) {
  const lane = findLane(values.run);
  if (!lane) return;
  lane.take(values, frames);
  if (lane.over && !lane.filmed) {
    lane.filmed = true;
    lane.fetchFilm().then(() => racePlayer.requestFrame());
  }
  if (race.lanes.every(({ over }) => over)) end();
  status();
  emit("race-log", race);
  racePlayer.requestFrame();
}

/**
 * Handle the end of all lanes. A race that was opened after its end shows the moment in the address or, without one,
 * its end.
 */
function end() {
  const known = race.state === "over";
  race.state = "over";
  const moment = viewAddress.takeMoment();
  if (moment !== null) {
    stands = true;
    racePlayer.seek(moment);
  } else if (known && !stands && !racePlayer.state.playing && racePlayer.state.clock === 0) racePlayer.live();
}

/** @param {HeadMessage} head */
function onHead({ run, frames, message }) {
  const lane = findLane(run);
  if (!lane) return;
  stream.acknowledge(message);
  if (lane.filmed) return;
  lane.film.add(frames);
  racePlayer.requestFrame();
}

/**
 * Handle a run of the race that is no longer on this server: its lane stays empty, and says so.
 * @param {PageEvents["refused"]} refusal
 */
function onRefused({ run, sentence: reason }) {
  const lane = findLane(run);
  if (!lane) return;
  Object.assign(lane, { state: "failed", reason, filmed: true });
  status();
  racePlayer.requestFrame();
}

/** Return the state of the race in words. */
function sentence() {
  const { id, state, alone, compared } = race;
  if (!id) return text("state.none");
  if (state === "paused") return text("state.paused");
  if (compared) return text("state.compared", { compared });
  const now = text(state === "over" ? "state.over" : "state.turns");
  return alone ? now : `${now} ${text("state.shared")}`;
}

/** Show above the lanes that they are being prepared, until the clock starts. */
function preparing() {
  const { id, lanes, state, compared } = race;
  const ready = lanes.filter(({ started, over }) => started || over).length;
  const waits = id && state === "running" && !compared && ready < lanes.length;
  wait("compiling", waits ? text("state.preparing", { ready, lanes: lanes.length }) : "");
}

/** Return the progress of the race, from 0 to 1. */
function share() {
  const { lanes, seconds } = race;
  if (!lanes.length || !seconds) return 0;
  return lanes.reduce((sum, lane) => sum + (lane.over ? 1 : Math.min(1, lane.known / seconds)), 0) / lanes.length;
}

function status() {
  document.body.classList.toggle("compared", Boolean(race.compared));
  document.body.dataset.runState = race.state === "over" ? "finished" : race.state;
  const others = !race.own && (race.state === "running" || race.state === "paused");
  if (others) document.body.dataset.others = "true";
  else delete document.body.dataset.others;
  setText("run-state", others ? `${sentence()} ${text("state.others")}` : sentence());
  preparing();
  const bar = byId("run-progress");
  if (bar) bar.value = share();
}

on("instance", onInstance);
on("log-message", onLog);
on("head", onHead);
on("refused", onRefused);
when(() => byId("run-state"), status);
