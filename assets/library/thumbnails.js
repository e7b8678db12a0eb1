/* Small pictures of tours: asked for when their rows come into sight, some at a time, and kept. */
import { byId, colour } from "../common/dom.js";
import { on } from "../common/events.js";
import { penOf } from "../common/map/canvas.js";
import { library } from "./list.js";

const AT_ONCE = 40;
const PAUSE = 60; // milliseconds in which wishes are gathered
const MOST = 3000; // pictures that are kept
const MARGIN = 2; // pixels
const FINE = 300; // numbers of a picture from which on its line is thinner

const painted = new WeakSet(); // canvases that show what they can
/** @type {Map<string, number[] | null>} */
const kept = new Map(); // what the entry was -> positions, or null
/** @type {Map<string, string>} */
const wanted = new Map(); // key -> what it was when it was asked for
let waiting = 0;

/** @param {Element} canvas */
const keyOf = (canvas) => canvas.closest("tr")?.dataset.key || "";

/**
 * An entry's key and what its picture depends on: a run that goes on gets better tours.
 * @param {string} key
 */
const version = (key) => `${key} ${library.known.get(key)?.length}`;

/**
 * Draw a tour into the middle of a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {number[]} positions in thousandths of a square, y upwards
 */
function draw(canvas, positions) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return;
  let [right, top] = [1, 1];
  for (let k = 0; k < positions.length; k += 2) {
    right = Math.max(right, positions[k]);
    top = Math.max(top, positions[k + 1]);
  }
  const scale = Math.min((width - 2 * MARGIN) / right, (height - 2 * MARGIN) / top);
  const [x, y] = [(width - scale * right) / 2, (height + scale * top) / 2];
  const pen = penOf(canvas, width, height);
  pen.strokeStyle = colour("tour");
  pen.lineWidth = positions.length > FINE ? 0.6 : 1;
  pen.lineJoin = "round";
  pen.beginPath();
  for (let k = 0; k < positions.length; k += 2) pen.lineTo(x + scale * positions[k], y - scale * positions[k + 1]);
  pen.closePath();
  pen.stroke();
}

/**
 * Draw the picture of a row if it is known, also that there is none.
 * @param {HTMLCanvasElement} canvas
 */
function paint(canvas) {
  const positions = kept.get(version(keyOf(canvas)));
  if (positions !== undefined) painted.add(canvas);
  if (positions) draw(canvas, positions);
  return positions !== undefined;
}

const sight = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting || !target.isConnected) continue;
    sight.unobserve(target);
    const key = keyOf(target);
    if (!paint(/** @type {HTMLCanvasElement} */ (target))) wanted.set(key, version(key));
  }
  if (wanted.size && !waiting) waiting = window.setTimeout(send, PAUSE);
});

/** Ask for pictures, keep and paint what comes; then ask for the next. */
async function send() {
  const asked = [...wanted].slice(0, AT_ONCE);
  for (const [key] of asked) wanted.delete(key);
  const keys = new URLSearchParams(asked.map(([key]) => ["key", key]));
  /** @type {Record<string, number[] | null>} */
  const pictures = (await library.fetched("thumbnails", keys)) || {};
  for (const [key, was] of asked) kept.set(was, pictures[key] || null);
  for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST))) kept.delete(old);
  for (const canvas of byId("library-body").querySelectorAll("canvas")) if (keyOf(canvas) in pictures) paint(canvas);
  waiting = wanted.size ? window.setTimeout(send, 0) : 0;
}

/**
 * Paint what comes into sight, and no more: to ask a canvas for its size is to lay the whole list out.
 * @param {HTMLElement} body
 * @param {boolean} [again] also what is painted
 */
function watch(body, again = false) {
  if (again) sight.disconnect();
  for (const canvas of body.querySelectorAll("canvas")) if (again || !painted.has(canvas)) sight.observe(canvas);
}

on("theme", () => {
  const body = byId("library-body");
  if (body) watch(body, true);
});

export const libraryPictures = { watch };
