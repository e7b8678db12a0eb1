/* Small pictures of tours: requested when their rows become visible, some at a time, and cached. */
import { byId } from "../common/dom.js";
import { thumbnail } from "../instances/thumbnail.js";
import { library } from "./list.js";

const AT_ONCE = 40;
const PAUSE = 60; // milliseconds in which requests are collected
const MOST = 3000; // pictures that are kept

const painted = new WeakSet(); // canvases that are up to date
/** @typedef {{ positions: number[], date_line: [number, number] | null }} Tour */
/** @type {Map<string, Tour | null>} */
const stored = new Map(); // the entry's version -> its tour, or null
/** @type {Map<string, string>} */
const wanted = new Map(); // key -> the version that was requested
let waiting = 0;

/** @param {Element} canvas */
const rowKey = (canvas) => canvas.closest("tr")?.dataset.key || "";

/**
 * An entry's key and what its picture depends on: a run that goes on gets better tours.
 * @param {string} key
 */
const version = (key) => `${key} ${library.known.get(key)?.length}`;

/**
 * Draw the picture of a row if it is known, also that there is none.
 * @param {HTMLCanvasElement} canvas
 */
function paint(canvas) {
  const tour = stored.get(version(rowKey(canvas)));
  if (tour !== undefined) painted.add(canvas);
  if (tour) thumbnail.show(canvas, { ...tour, closed: true, bare: true });
  return tour !== undefined;
}

const sight = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting || !target.isConnected) continue;
    sight.unobserve(target);
    const key = rowKey(target);
    if (!paint(/** @type {HTMLCanvasElement} */ (target))) wanted.set(key, version(key));
  }
  if (wanted.size && !waiting) waiting = window.setTimeout(send, PAUSE);
});

/** Request pictures, cache and paint them, then request the next. */
async function send() {
  const asked = [...wanted].slice(0, AT_ONCE);
  for (const [key] of asked) wanted.delete(key);
  const keys = new URLSearchParams(asked.map(([key]) => ["key", key]));
  /** @type {Record<string, Tour | null>} */
  const pictures = (await library.fetched("thumbnails", keys)) || {};
  for (const [key, was] of asked) stored.set(was, pictures[key] || null);
  for (const old of [...stored.keys()].slice(0, Math.max(0, stored.size - MOST))) stored.delete(old);
  for (const canvas of byId("library-body").querySelectorAll("canvas")) if (rowKey(canvas) in pictures) paint(canvas);
  waiting = wanted.size ? window.setTimeout(send, 0) : 0;
}

/**
 * Paint what comes into sight, and no more: to ask a canvas for its size is to lay the whole list out.
 * @param {HTMLElement} body
 */
function watch(body) {
  for (const canvas of body.querySelectorAll("canvas")) if (!painted.has(canvas)) sight.observe(canvas);
}

export { watch };
