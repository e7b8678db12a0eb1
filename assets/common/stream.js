/* The stream: one WebSocket with acknowledgements for all runs of a page; it resumes after the last received event. */
import { basePath } from "./dom.js";
import { emit } from "./events.js";
import { frames } from "./frames.js";

const RETRY = [100, 250, 500, 1000]; // milliseconds before each retry; the last one repeats

/** @type {WebSocket | null} */
let socket = null;
let tries = 0;
/** @typedef {{ after: number, head: boolean, field: boolean, every?: number, all?: boolean }} Wishes */
/** @type {Map<string, Wishes>} */
const watched = new Map(); // subscriptions by run, repeated by a new connection
let follows = false; // whether this page follows the lecturer

const address = () => `${window.location.origin.replace(/^http/, "ws")}${basePath()}stream`;

/** @param {object} message */
function sendMessage(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/**
 * @param {string} run
 * @param {Wishes} wishes
 */
function requestRun(run, { after, head, field, every, all }) {
  sendMessage({ op: "open", run, after });
  sendMessage({ op: "head", run, on: head, every, all });
  sendMessage({ op: "field", run, on: field });
}

function connect() {
  socket = new WebSocket(address());
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    tries = 0;
    emit("connection", true);
    for (const [run, wishes] of watched) requestRun(run, wishes);
    if (follows) sendMessage({ op: "follow", on: true });
  };
  socket.onmessage = (event) => receive(frames.split(event.data));
  socket.onclose = () => {
    emit("connection", false);
    window.setTimeout(connect, RETRY[Math.min(tries, RETRY.length - 1)]);
    tries += 1;
  };
}

/** @param {Frame[]} frames */
function receive([first, ...rest]) {
  if (first.kind === "status") emit("status", first.values);
  else if (first.kind === "refused") refuse(first.values);
  else if (first.kind === "lecture") emit("lecture", first.values);
  else if (first.kind === "class") emit("class", first.values);
  else if (first.kind === "message") message(first.values, rest);
}

/** @param {PageEvents["refused"]} values */
function refuse(values) {
  if (!watched.size || (values.run && !watched.has(values.run))) return;
  watched.delete(values.run);
  emit("refused", values);
}

/**
 * @param {AnyMessage} values
 * @param {Frame[]} frames
 */
function message(values, frames) {
  const { run } = values;
  const wanted = watched.get(run);
  if (!wanted) {
    acknowledge(values.message);
    return;
  }
  if (values.what === "head") {
    emit("head", { run, frame: frames[frames.length - 1], frames, message: values.message, state: values.state });
    return; // acknowledged once drawn, so that the server sends no faster than the screen shows
  }
  if (values.what === "field") {
    emit("field-message", { frames, message: values.message });
    return; // likewise acknowledged once drawn
  }
  acknowledge(values.message);
  if (values.what === "bound") {
    emit("bound-message", { run, frame: frames[0] });
    return;
  }
  if (values.what === "instance") {
    emit("instance", { values, frames });
    return;
  }
  if (values.seqs.length) wanted.after = values.seqs[values.seqs.length - 1];
  emit("log-message", { values, frames });
}

/**
 * Tell the server that a message has been processed.
 * @param {number} number
 */
const acknowledge = (number) => sendMessage({ op: "ack", message: number });

/**
 * Follow only this run, from the event after number `after`.
 * @param {string} run
 */
function open(run, after = 0) {
  close();
  follow(run, { after });
}

/**
 * Follow one more run.
 * @param {string} run
 * @param {Partial<Wishes>} [wishes] `every`: minimum seconds between messages with heads; `all`: also send the heads in
 * between
 */
function follow(run, { after = 0, head: wanted = true, every, all } = {}) {
  const wishes = { after, head: wanted, field: false, every, all };
  watched.set(run, wishes);
  requestRun(run, wishes);
}

/** Stop following runs. */
function close() {
  for (const run of watched.keys()) sendMessage({ op: "close", run });
  watched.clear();
}

/**
 * @param {"head" | "field"} what
 * @param {boolean} wanted
 */
function setWish(what, wanted) {
  for (const [run, wishes] of watched) {
    if (wishes[what] === wanted) continue;
    wishes[what] = wanted;
    sendMessage({ op: what, run, on: wanted });
  }
}

/**
 * Request the current tour of the run, up to 30 times a second, or stop.
 * @param {boolean} wanted
 */
const head = (wanted) => setWish("head", wanted);

/**
 * Request the newest pheromone field, up to 15 times a second, or stop.
 * @param {boolean} wanted
 */
const field = (wanted) => setWish("field", wanted);

/**
 * Tell the server whether this page follows the lecturer, who sees the number of followers.
 * @param {boolean} on
 */
function setFollowing(on) {
  if (on !== follows) sendMessage({ op: "follow", on });
  follows = on;
}

export const stream = { connect, open, follow, close, head, field, acknowledge, setFollowing };
