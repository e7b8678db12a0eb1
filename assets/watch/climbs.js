/* Climbs of the run that is open, fetched from the server; the last ones used are kept in memory. */
import { basePath } from "../common/dom.js";
import { emit } from "../common/events.js";
import { frames } from "../common/frames.js";
import { climbOf } from "./climb.js";
import { run } from "./run.js";

const MOST_BYTES = 96 * 2 ** 20;
const AGAIN = 250; // milliseconds at least between two fetches of a climb that goes on

let open = null; // the id of the run
let kept = new Map(); // climber -> climb, the last used at the end
let pending = new Map(); // climber -> promise
let asked = new Map(); // climber -> {at, took} of its last fetch

/** Forget everything, and fetch from `id` from now on. */
function reset(id) {
  open = id;
  kept = new Map();
  pending = new Map();
  asked = new Map();
}

function keep(climb) {
  kept.delete(climb.climber);
  kept.set(climb.climber, climb);
  let bytes = 0;
  for (const one of kept.values()) bytes += one.bytes;
  for (const [climber, one] of kept) {
    if (bytes <= MOST_BYTES || one === climb) break;
    kept.delete(climber);
    bytes -= one.bytes;
  }
}

async function download(climber) {
  const id = open;
  const began = performance.now();
  const over = !run.active();
  const answer = await fetch(`${basePath()}runs/${id}/climbs/${climber}`);
  if (!answer.ok) return null;
  const climb = climbOf(frames.decode(await answer.arrayBuffer()));
  if (id !== open) return null;
  climb.whole = climb.complete || over; // no more of it will come
  asked.set(climber, { at: performance.now(), took: performance.now() - began });
  keep(climb);
  emit("climb", climb);
  return climb;
}

/** Fetch a climb, whether or not it is kept; null if the server has none. One request at a time for each climb. */
function load(climber) {
  if (!pending.has(climber)) {
    const mine = pending;
    mine.set(
      climber,
      download(climber).finally(() => mine.delete(climber)),
    );
  }
  return pending.get(climber);
}

/** A kept climb, or undefined. */
function peek(climber) {
  return kept.get(climber);
}

/** A climb as it is now: what is kept, if it is all of it; a promise of a climb or null. */
function get(climber) {
  const climb = kept.get(climber);
  if (!climb?.whole) return load(climber);
  keep(climb);
  return Promise.resolve(climb);
}

/** Fetch a climb that goes on again, unless that was done a moment ago; dear fetches are made less often. */
function refresh(climber) {
  const last = asked.get(climber);
  const pause = last ? Math.max(AGAIN, 8 * last.took) : 0;
  if (pending.has(climber) || (last && performance.now() - last.at < pause)) return null;
  return load(climber);
}

/** Whether more of a climb was asked for; not if that was done a moment ago. */
function more(climber) {
  const answer = refresh(climber);
  if (answer) answer.catch(() => null); // asked again in a moment
  return Boolean(answer);
}

/** Have a climb ready that will be wanted, if there is one. */
function prefetch(climber) {
  if (climber < run.known && !peek(climber)) get(climber).catch(() => null);
}

/** A promise of the climb, of null if the server has none, of undefined if there is no server. */
const find = (climber) => get(climber).catch(() => undefined);

/** All kept climbs, the last used at the end. */
function all() {
  return [...kept.values()];
}

export const climbs = { reset, get, find, peek, more, prefetch, all };
