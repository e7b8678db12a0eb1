/* The stream: one WebSocket for the runs that a page follows, acknowledged, and back by itself after the last number that it saw. */
import { basePath } from "./dom.js";
import { emit } from "./events.js";
import { frames } from "./frames.js";

const RETRY = [100, 250, 500, 1000]; // milliseconds before each further try, the last one for ever

let socket = null;
let tries = 0;
const watched = new Map(); // run -> {after, head, field, every, all}: what a new connection asks for

function address() {
  const origin = window.location.origin.replace(/^http/, "ws");
  return `${origin}${basePath()}stream`;
}

function say(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function ask(run) {
  const { after, head, field, every, all } = watched.get(run);
  say({ op: "open", run, after });
  say({ op: "head", run, on: head, every, all });
  say({ op: "field", run, on: field });
}

function connect() {
  socket = new WebSocket(address());
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    tries = 0;
    emit("connection", true);
    for (const run of watched.keys()) ask(run);
  };
  socket.onmessage = (event) => receive(frames.split(event.data));
  socket.onclose = () => {
    emit("connection", false);
    window.setTimeout(connect, RETRY[Math.min(tries, RETRY.length - 1)]);
    tries += 1;
  };
}

function receive([first, ...rest]) {
  if (first.kind === "status") emit("status", first.values);
  else if (first.kind === "refused") refuse(first.values);
  else if (first.kind === "message") message(first.values, rest);
}

function refuse(values) {
  if (!watched.size || (values.run && !watched.has(values.run))) return;
  watched.delete(values.run);
  emit("refused", values);
}

function message(values, frames) {
  const { run } = values;
  const wanted = watched.get(run);
  if (!wanted) {
    acknowledge(values.message);
    return;
  }
  if (values.what === "head") {
    emit("head", { run, frame: frames[frames.length - 1], frames, message: values.message, state: values.state });
    return; // acknowledged once it is drawn, so that the server sends at the pace of the screen
  }
  if (values.what === "field") {
    emit("field-message", { frames, message: values.message });
    return; // so is this
  }
  if (values.what === "log" && values.seqs.length) wanted.after = values.seqs[values.seqs.length - 1];
  acknowledge(values.message);
  emit(values.what === "log" ? "log-message" : values.what, { values, frames });
}

/** Tell the server that a message has been used. */
function acknowledge(number) {
  say({ op: "ack", message: number });
}

/** Follow a run, and no other, from after sequence number `after` on. */
function open(run, after = 0) {
  close();
  follow(run, { after });
}

/** Follow one more run; `every`: seconds between two messages of heads at least; `all`: heads in between are not left out. */
function follow(run, { after = 0, head: wanted = true, every, all } = {}) {
  watched.set(run, { after, head: wanted, field: false, every, all });
  ask(run);
}

/** Follow no run. */
function close() {
  for (const run of watched.keys()) say({ op: "close", run });
  watched.clear();
}

function wish(what, wanted) {
  for (const [run, wishes] of watched) {
    if (wishes[what] === wanted) continue;
    wishes[what] = wanted;
    say({ op: what, run, on: wanted });
  }
}

/** Ask for the tour as the run has it now, up to 30 times a second, or no longer. */
const head = (wanted) => wish("head", wanted);

/** Ask for the newest field of a colony's trails, up to 15 times a second, or no longer. */
const field = (wanted) => wish("field", wanted);

export const stream = { connect, open, follow, close, head, field, acknowledge };
