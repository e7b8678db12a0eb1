/* Climbs of the open run, fetched from the server; the most recently used ones are cached. */
import { emit } from "../../common/events.js";
import { frames } from "../../common/frames.js";
import { source } from "../../common/host/source.js";
import { decodeClimb } from "./climb.js";
import { run } from "../run.js";

const MAX_BYTES = 96 * 2 ** 20;
const AGAIN = 250; // minimum milliseconds between two fetches of a running climb

/** @type {string | null} */
let open = null; // the id of the run
/** @type {Map<number, Climb>} */
let cache = new Map(); // climbs by climber, the most recently used last
/** @type {Map<number, Promise<Climb | null>>} */
let pending = new Map(); // pending requests by climber
/** @type {Map<number, {at: number, took: number}>} */
let fetches = new Map(); // for each climber, when its last fetch ended and how many milliseconds it took

/**
 * Forget everything, and fetch from the run `id` from now on.
 * @param {string | null} id
 */
function reset(id) {
  open = id;
  cache = new Map();
  pending = new Map();
  fetches = new Map();
}

/** @param {Climb} climb */
function cacheClimb(climb) {
  cache.delete(climb.climber);
  cache.set(climb.climber, climb);
  let bytes = 0;
  for (const one of cache.values()) bytes += one.bytes;
  for (const [climber, one] of cache) {
    if (bytes <= MAX_BYTES || one === climb) break;
    cache.delete(climber);
    bytes -= one.bytes;
  }
}

/** @param {number} climber */
async function download(climber) {
  const id = open;
  const start = performance.now();
  const over = !run.active();
  const known = cache.get(climber);
  const part = known?.walk === "moves" && !known.whole ? known : null; // only new moves are fetched
  const answer = await source.fetchForRun(id, `climbs/${climber}${part ? `?after=${part.count}` : ""}`);
  if (!answer) return null;
  const frame = frames.decode(answer);
  if (id !== open) return null;
  if (part) part.extend(frame);
  const climb = part || decodeClimb(frame);
  climb.whole ||= over; // it is complete
  fetches.set(climber, { at: performance.now(), took: performance.now() - start });
  cacheClimb(climb);
  emit("climb", climb);
  return climb;
}

/**
 * Fetch a climb even if it is cached; null if the server has none. Each climb has at most one request at a time.
 * @param {number} climber
 */
function load(climber) {
  const mine = pending;
  const promise = mine.get(climber) || download(climber).finally(() => mine.delete(climber));
  mine.set(climber, promise);
  return promise;
}

/**
 * Return the cached climb, or undefined.
 * @param {number} climber
 */
const peek = (climber) => cache.get(climber);

/**
 * Return the current state of a climb: the cached climb if it is complete, else a promise of a climb or null.
 * @param {number} climber
 */
function get(climber) {
  const climb = peek(climber);
  if (!climb?.whole) return load(climber);
  cacheClimb(climb);
  return Promise.resolve(climb);
}

/**
 * Request more of a running climb; returns false if the last request was too recent. The slower the fetches, the rarer
 * they are.
 * @param {number} climber
 */
function requestMore(climber) {
  const last = fetches.get(climber);
  if (pending.has(climber) || (last && performance.now() - last.at < Math.max(AGAIN, 8 * last.took))) return false;
  load(climber).catch(() => null); // requested again in a moment
  return true;
}

/**
 * Fetch a climb ahead, if it exists.
 * @param {number} climber
 */
function prefetch(climber) {
  if (climber < run.known && !peek(climber)) find(climber);
}

/**
 * Return a promise of the climb; it resolves to null if the server has none, and to undefined without a connection.
 * @param {number} climber
 */
const find = (climber) => get(climber).catch(() => undefined);

/** Return all cached climbs, the most recently used at the end. */
const all = () => [...cache.values()];

export const climbs = { reset, get, find, peek, requestMore, prefetch, all };
