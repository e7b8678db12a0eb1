/* Draw your own: a dialog in which cities are added, moved and removed, and become the page's instance. */
import { byId, replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { format } from "../common/format.js";
import { makeStats } from "../common/frame_stats.js";
import { citiesNear, pointerReach } from "../common/map/picking.js";
import { lengthUnit } from "../common/map/units.js";
import { makeSheet } from "../common/sheet.js";
import { makeBoard } from "./board.js";
import { encode, MAX_CITIES } from "./codec.js";
import { choose, current, solve } from "./page.js";
import { makePaste } from "./paste.js";
import { makePresets } from "./presets.js";
import { makeSketch } from "./sketch.js";
import { text } from "./texts.js";
import { makeTour } from "./tour.js";

const STEPS = 100; // steps of the cursor from one side to the other
const GRID = 50; // units between grid points to which cities snap
const DOT = 10; // pixels around a city within which a finger selects it
const STILL = 6; // pixels that a finger may move without dragging

const stats = makeStats();
const sketch = makeSketch();
const tour = makeTour();
const facts = element("p.note", { "aria-live": "polite" });
const message = element("p.note", { "aria-live": "polite", id: "draw-sentence" });
const canvas = element("canvas", { id: "draw-board", tabindex: 0, role: "application", "aria-label": text("board") });
const board = makeBoard(canvas);
const commands = {
  undo: button({ class: "button", "aria-keyshortcuts": "Control+Z" }, text("undo"), "undo"),
  redo: button({ class: "button", "aria-keyshortcuts": "Control+Y" }, text("redo"), "redo"),
  remove: button({ class: "button", "aria-keyshortcuts": "Delete" }, text("delete"), "close"),
  clear: button({ class: "button" }, text("clear")),
};
const paste = makePaste(setDrawing, showSentence);
const presets = makePresets(setDrawing, showSentence);
const snap = element("input.form-check-input", { id: "draw-snap", type: "checkbox" });
const use = button({ class: "button" }, text("use"), "check");
const start = button({ class: "button primary" }, text("solve"), "play");
const tools = element(
  "div.draw-tools",
  ...Object.values(commands),
  element("label.draw-snap", snap, element("span", text("snap"))),
);
const said = element("div.draw-said", facts, message, paste.asPlane);
const content = [tools, canvas, said, presets, paste.place, element("p.note", text("hint"))];
const foot = [element("div.draw-tools", use, start)];
const sheet = makeSheet("draw", "tall draw", text("title"), content, { foot, stays: () => true });
const { dialog } = sheet;

let chosen = -1; // id of a city
let hovered = -1; // id of the city below the mouse
/** @type {{ x: number, y: number } | null} */
let cursor = null; // position of the keyboard's cursor
let dragged = -1; // the dragging pointer
/** @type {{ x: number, y: number } | null} */
let tapped = null; // position of a finger beside a city, until it moves
/** @type {Drawing | null} */
let repaired = null; // the drawing to which the tour belongs
let waits = false; // request for the next frame
let { order, edges, length } = tour.findTour(sketch.drawing());

/** @param {number} count */
function summary(count) {
  const unit = lengthUnit({ edge_weight_type: sketch.drawing().kind });
  const target = hovered < 0 ? chosen : hovered;
  const at = order.findIndex((city) => sketch.drawing().cities[city].id === target);
  const all = { count, length: format.integer(length) };
  const whole = unit ? text("told.globe", { ...all, unit }) : text("told", all);
  return at < 0 || count < 3 ? whole : `${whole} · ${neighbours(at)}`;
}

/**
 * Describe a city: its name, and its distances to both neighbours on the tour. @param {number} at its position in the
 * tour
 */
function neighbours(at) {
  const { kind, cities } = sketch.drawing();
  const city = order[at];
  const name = cities[city].name || text("city.number", { city: city + 1 });
  const far = { name, before: edges[(at || order.length) - 1], after: edges[at] };
  const unit = lengthUnit({ edge_weight_type: kind });
  return unit ? text("city.globe", { ...far, unit }) : text("city", far);
}

function paint() {
  waits = false;
  const drawing = sketch.drawing();
  if (repaired !== drawing) ({ order, edges, length } = tour.findTour(drawing));
  repaired = drawing;
  const lines = snapsToGrid(drawing) ? GRID : 0;
  board.paint(drawing, order, { chosen, cursor: document.activeElement === canvas ? cursor : null, grid: lines });
  const count = drawing.cities.length;
  if (dragged < 0) replaceText(facts, count ? summary(count) : text("empty"));
  commands.undo.disabled = !sketch.canUndo();
  commands.redo.disabled = !sketch.canRedo();
  commands.remove.disabled = !sketch.find(chosen);
  commands.clear.disabled = use.disabled = start.disabled = !count;
  stats.drawn();
}

function show() {
  if (!waits) window.requestAnimationFrame(paint);
  waits = true;
}

/** @param {string} [sentence] @param {boolean} [wrong] whether it is an error */
function showSentence(sentence = "", wrong = false) {
  paste.asPlane.hidden = true;
  message.classList.toggle("refusal", wrong);
  replaceText(message, sentence);
  show();
}

/**
 * Return the id of the city near a point of the canvas, -1 if there is none.
 * @param {{ x: number, y: number }} point
 * @param {string} pointer
 */
function cityAt(point, pointer) {
  const [near] = nearest(point, pointerReach(pointer));
  return near ? sketch.drawing().cities[near.at].id : -1;
}

/** @param {{ x: number, y: number }} point @param {number} reach pixels */
function nearest(point, reach) {
  const xy = sketch.drawing().cities.flatMap(({ x, y }) => [x, y]);
  return citiesNear(xy, board.place(), point, reach);
}

/** Return whether cities of a drawing snap to the grid; cities on the globe do not. @param {Drawing} drawing */
const snapsToGrid = ({ kind }) => snap.checked && kind === "EUC_2D";

/** Snap a place to the grid, if enabled. @param {{ x: number, y: number }} place */
function snapPoint({ x, y }) {
  if (!snapsToGrid(sketch.drawing())) return { x, y };
  return { x: GRID * Math.round(x / GRID), y: GRID * Math.round(y / GRID) };
}

/** @param {{ x: number, y: number }} place */
function add(place) {
  const { x, y } = snapPoint(place);
  chosen = sketch.add(x, y);
  const count = sketch.drawing().cities.length;
  showSentence(chosen < 0 ? text("full", { most: MAX_CITIES }) : text("added", { count }));
}

function remove() {
  sketch.remove(chosen);
  chosen = -1;
  showSentence(text("removed", { count: sketch.drawing().cities.length }));
}

/** @param {() => unknown} change changes the whole drawing */
function applyChange(change) {
  change();
  chosen = -1;
  board.fit(sketch.drawing());
  showSentence();
}

/** @param {Drawing} drawing new drawing */
function setDrawing(drawing) {
  applyChange(() => sketch.replace(drawing));
  canvas.focus(); // scrolls it into view
}

/** @param {PointerEvent} event */
function onDown(event) {
  if (dragged >= 0 || event.button) return;
  const point = { x: event.offsetX, y: event.offsetY };
  canvas.setPointerCapture(event.pointerId);
  dragged = event.pointerId;
  cursor = null;
  sketch.hold();
  chosen = cityAt(point, event.pointerType);
  if (chosen < 0) add(board.locate(point));
  // A finger near a city may be about to drag it, or to tap a place beside it; its next movement decides.
  else if (event.pointerType !== "mouse" && !nearest(point, DOT).length) tapped = point;
  show();
}

/** Describe the city under the mouse. @param {number} id -1 for none */
function hover(id) {
  if (id === hovered) return;
  hovered = id;
  show();
}

/** @param {PointerEvent} event */
function onMove({ pointerId, pointerType, offsetX, offsetY }) {
  if (dragged < 0) return hover(pointerType === "mouse" ? cityAt({ x: offsetX, y: offsetY }, pointerType) : -1);
  if (pointerId !== dragged) return;
  if (tapped && Math.hypot(offsetX - tapped.x, offsetY - tapped.y) < STILL) return;
  tapped = null;
  const x = Math.min(canvas.clientWidth, Math.max(0, offsetX));
  const y = Math.min(canvas.clientHeight, Math.max(0, offsetY));
  const to = snapPoint(board.locate({ x, y }));
  sketch.move(chosen, to.x, to.y);
  show();
}

/** @param {PointerEvent} event */
function onUp({ pointerId, type }) {
  if (pointerId !== dragged) return;
  if (tapped && type === "pointerup") add(board.locate(tapped));
  tapped = null;
  dragged = -1;
  sketch.release();
  show();
}

/**
 * Move the chosen city, or the cursor.
 * @param {number} right
 * @param {number} up
 */
function walk(right, up) {
  const { x0, x1, y0, y1 } = board.box();
  const step = snapsToGrid(sketch.drawing()) ? GRID : Math.max(1, Math.round((x1 - x0) / STEPS));
  const city = sketch.find(chosen);
  const from = city || cursor || { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
  const { x, y } = snapPoint({
    x: Math.round(Math.min(x1, Math.max(x0, from.x + right * step))),
    y: Math.round(Math.min(y1, Math.max(y0, from.y + up * step))),
  });
  cursor = { x, y };
  if (city) sketch.move(chosen, x, y);
  showSentence(city ? "" : text("cursor", { x, y }));
}

/** Choose the city at the cursor, or clear the choice. */
function pick() {
  const { x, y } = cursor || { x: 0, y: 0 };
  const { place } = board;
  const { scale, ratio, x: left, y: top } = place();
  const point = { x: left + scale * x, y: top - scale * ratio * y };
  chosen = chosen < 0 && cursor ? cityAt(point, "touch") : -1;
  const city = sketch.drawing().cities.findIndex(({ id }) => id === chosen);
  showSentence(chosen < 0 ? "" : text("chosen", { city: city + 1 }));
}

function addAtCursor() {
  const { x0, x1, y0, y1 } = board.box();
  cursor ||= { x: Math.round((x0 + x1) / 2), y: Math.round((y0 + y1) / 2) };
  add(cursor);
  chosen = -1;
}

/** @type {Record<string, (far: number) => void>} */
const KEYS = {
  ArrowLeft: (far) => walk(-far, 0),
  ArrowRight: (far) => walk(far, 0),
  ArrowUp: (far) => walk(0, far),
  ArrowDown: (far) => walk(0, -far),
  Enter: addAtCursor,
  " ": pick,
  Delete: remove,
  Backspace: remove,
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  const key = event.key.toLowerCase();
  const command = event.ctrlKey || event.metaKey;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
  if (command && (key === "y" || (key === "z" && event.shiftKey))) applyChange(sketch.redo);
  else if (command && key === "z") applyChange(sketch.undo);
  else if (!command && event.target === canvas && KEYS[event.key]) KEYS[event.key](event.shiftKey ? 5 : 1);
  else return;
  event.preventDefault();
}

/** @param {(reference: DrawnReference) => void} take */
function leave(take) {
  dialog.close();
  take(encode(sketch.drawing()));
}

function open() {
  const opened = current();
  if (opened && JSON.stringify(encode(opened)) !== JSON.stringify(encode(sketch.drawing()))) sketch.replace(opened);
  start.hidden = !byId("start"); // the race page has no such button: a race is started from its lanes
  sheet.open();
  canvas.focus();
  applyChange(() => null);
}

canvas.addEventListener("pointerdown", onDown);
canvas.addEventListener("pointermove", onMove);
for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) canvas.addEventListener(end, onUp);
for (const change of /** @type {const} */ (["focus", "blur"])) canvas.addEventListener(change, show);
canvas.addEventListener("pointerleave", () => hover(-1));
snap.addEventListener("change", show);
new ResizeObserver(show).observe(canvas);
dialog.addEventListener("keydown", onKey);
// In a small dialog, an unfolded part lies below the visible area, so scroll to it.
dialog.addEventListener(
  "toggle",
  ({ target }) => target instanceof HTMLDetailsElement && target.scrollIntoView({ block: "nearest" }),
  { capture: true },
);
dialog.addEventListener("paste", (event) => {
  if (!(event.target instanceof HTMLTextAreaElement)) paste.accept(event.clipboardData?.getData("text") || "");
});
commands.undo.addEventListener("click", () => applyChange(sketch.undo));
commands.redo.addEventListener("click", () => applyChange(sketch.redo));
commands.clear.addEventListener("click", () => applyChange(sketch.clear));
commands.remove.addEventListener("click", remove);
use.addEventListener("click", () => leave(choose));
start.addEventListener("click", () => leave(solve));

export const draw = { open, stats, drawing: sketch.drawing, place: board.place };
