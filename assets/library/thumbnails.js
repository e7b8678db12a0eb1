/* Small pictures of tours: requested when their rows become visible, in batches, and cached. */
import { byId } from "../common/dom.js";
import { thumbnail } from "../instances/thumbnail.js";
import { library } from "./list.js";

const AT_ONCE = 40;
const PAUSE = 60; // milliseconds in which requests are collected
const MAX_CACHED = 3000; // maximum number of cached pictures

const painted = new WeakSet(); // canvases that are up to date
/** @typedef {{ positions: number[], date_line: [number, number] | null }} Tour */
/** @type {Map<string, Tour | null>} */
const stored = new Map(); // tours by the entry's version; null if it has none
/** @type {Map<string, string>} */
const wanted = new Map(); // the requested version by key
let waiting = 0;

/** @param {Element} canvas */
const rowKey = (canvas) => canvas.closest("tr")?.dataset.key || "";

/**
 * Return the key of an entry together with its length, on which its picture depends: the tour of a running run
 * improves.
 * @param {string} key
 */
const version = (key) => `${key} ${library.known.get(key)?.length}`;

/**
 * Draw the picture of a row if it is known; if the row has none, show that.
 * @param {HTMLCanvasElement} canvas
 */
function paint(canvas) {
  const tour = stored.get(version(rowKey(canvas)));
  if (tour !== undefined) painted.add(canvas);
  if (tour) thumbnail.show(canvas, { ...tour, closed: true, bare: true });
  return tour !== undefined;
}

const visibility = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting || !target.isConnected) continue;
    visibility.unobserve(target);
    const key = rowKey(target);
    if (!paint(/** @type {HTMLCanvasElement} */ (target))) wanted.set(key, version(key));
  }
  if (wanted.size && !waiting) waiting = window.setTimeout(send, PAUSE);
});

/** Request pictures, cache and paint them, then request the next batch. */
async function send() {
  const batch = [...wanted].slice(0, AT_ONCE);
  for (const [key] of batch) wanted.delete(key);
  const keys = new URLSearchParams(batch.map(([key]) => ["key", key]));
  /** @type {Record<string, Tour | null>} */
  const pictures = JSON.parse((await library.fetchRoute("thumbnails", keys)) || "{}");
  for (const [key, was] of batch) stored.set(was, pictures[key] || null);
  for (const old of [...stored.keys()].slice(0, Math.max(0, stored.size - MAX_CACHED))) stored.delete(old);
  for (const canvas of byId("library-body").querySelectorAll("canvas")) if (rowKey(canvas) in pictures) paint(canvas);
  waiting = wanted.size ? window.setTimeout(send, 0) : 0;
}

/**
 * Paint only the canvases that become visible: asking a canvas for its size makes the browser lay out the whole list.
 * @param {HTMLElement} body
 */
export function watch(body) {
  for (const canvas of body.querySelectorAll("canvas")) if (!painted.has(canvas)) visibility.observe(canvas);
}
