/*
 * The recorded pictures of a colony's trails, each {field, ants}: which ones exist, and a cache of the most recently
 * used.
 */
import { on } from "../../common/events.js";
import { frames } from "../../common/frames.js";
import { source } from "../../common/host/source.js";

const MOST = 300; // maximum number of cached pictures, of about 100 kB each

/** @type {string | null} */
let run = null;
/** @type {number[]} */
let available = []; // iterations with a picture, ascending
/** @type {Map<number, FieldPicture>} */
let cache = new Map(); // pictures by iteration, the most recently used last
/** @type {{at: number, onPicture: ((picture: FieldPicture) => void) | null} | null} */
let wanted = null; // the next fetch; only the newest request counts
let busy = false;

/**
 * Forget everything, and fetch from the run `id` from now on.
 * @param {string | null} id
 */
function reset(id) {
  run = id;
  available = [];
  cache = new Map();
  wanted = null;
}

/**
 * Count the known iterations up to and including `iteration`, which is usually among the last.
 * @param {number} iteration
 */
const countUpTo = (iteration) => available.findLastIndex((other) => other <= iteration) + 1;

/**
 * Add iterations that have pictures.
 * @param {number[]} [iterations]
 */
function addIterations(iterations) {
  for (const iteration of iterations || []) {
    const at = countUpTo(iteration);
    if (available[at - 1] !== iteration) available.splice(at, 0, iteration);
  }
}

/**
 * Return the last iteration with a picture at or before `iteration`, or null.
 * @param {number} iteration
 */
const nearest = (iteration) => available[countUpTo(iteration) - 1] ?? null;

/** @param {FieldPicture} picture */
function store(picture) {
  const at = picture.field.values.iteration;
  cache.delete(at);
  cache.set(at, picture);
  const [oldest] = cache.keys();
  if (cache.size > MOST) cache.delete(oldest);
  return picture;
}

/**
 * Return the picture in frames, null without a field.
 * @param {FieldMessage["frames"]} frames
 * @returns {FieldPicture | null}
 */
function decodePicture(frames) {
  const field = frames.find((frame) => frame.kind === "field");
  const ants = frames.find((frame) => frame.kind === "ants");
  return field ? { field, ants: ants || null } : null;
}

/**
 * Store a picture from the stream.
 * @param {FieldMessage["frames"]} frames
 */
function storeFrames(frames) {
  const picture = decodePicture(frames);
  if (picture) addIterations([picture.field.values.iteration]);
  return picture && store(picture);
}

/**
 * @param {number} at
 * @param {boolean} [keeps] whether it is cached
 */
async function download(at, keeps = true) {
  const id = run;
  const answer = await source.fetchForRun(id, `fields/${at}`);
  const picture = answer && decodePicture(frames.split(answer));
  if (!picture || id !== run) return null;
  return keeps ? store(picture) : picture;
}

async function fetchWanted() {
  busy = true;
  while (wanted) {
    const { at, onPicture } = wanted;
    wanted = null;
    const picture = cache.get(at) || (await download(at).catch(() => null));
    if (picture && onPicture) onPicture(picture);
  }
  busy = false;
}

/**
 * Call `onPicture` with the picture of a known iteration, unless another one is requested meanwhile.
 * @param {number} at
 * @param {((picture: FieldPicture) => void) | null} onPicture
 */
function get(at, onPicture) {
  const picture = cache.get(at);
  wanted = picture ? null : { at, onPicture };
  if (picture) {
    store(picture);
    onPicture?.(picture);
  } else if (!busy) fetchWanted();
}

/**
 * Fetch the picture that follows that of iteration `at`, unless another fetch is pending.
 * @param {number} at
 */
function prefetch(at) {
  const next = available[countUpTo(at)];
  if (next !== undefined && !cache.has(next) && !busy && !wanted) get(next, null);
}

/**
 * Return the picture of a known iteration, regardless of other requests; null if it is not available. It is not cached.
 * @param {number} at
 */
const read = (at) => Promise.resolve(cache.get(at) || download(at, false).catch(() => null));

on("pictured", addIterations);
export const fields = { reset, nearest, storeFrames, get, prefetch, read, known: () => available };
