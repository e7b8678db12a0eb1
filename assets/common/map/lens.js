/* Zooms and pans the tour's and the trails' canvases: wheel, drag, two fingers. */
import { emit } from "../events.js";

const NEAREST = 40; // maximum zoom

/** @typedef {{ x: number, y: number }} Point of a canvas, in its pixels */

/** @type {Lens & { attach: typeof attach, showWhole: typeof showWhole }} */
export const lens = { scale: 1, x: 0, y: 0, attach, showWhole };
/** @type {Map<number, Point>} */
const pointers = new Map(); // last position of each pressed pointer

/** @param {MouseEvent} event */
const eventPoint = ({ offsetX: x, offsetY: y }) => ({ x, y });
/**
 * @param {Point} a
 * @param {Point} b
 */
const measureDistance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) || 1;

/** Show the whole map. */
function showWhole() {
  Object.assign(lens, { scale: 1, x: 0, y: 0 });
  emit("lens", lens);
}

/**
 * Zoom in by `factor` around a point of the canvas, in its pixels.
 * @param {Point} place
 * @param {number} factor
 */
function zoom({ x, y }, factor) {
  const scale = Math.min(NEAREST, Math.max(1, lens.scale * factor));
  if (scale === 1) {
    showWhole();
    return;
  }
  const moved = 1 / lens.scale - 1 / scale;
  Object.assign(lens, { scale, x: lens.x + x * moved, y: lens.y + y * moved });
  emit("lens", lens);
}

/** @param {PointerEvent} event */
function drag(event) {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const now = eventPoint(event);
  pointers.set(event.pointerId, now);
  const other = [...pointers].find(([pointer]) => pointer !== event.pointerId);
  if (other) {
    const [, place] = other;
    zoom(
      { x: (now.x + place.x) / 2, y: (now.y + place.y) / 2 },
      measureDistance(now, place) / measureDistance(before, place),
    );
    return;
  }
  lens.x -= (now.x - before.x) / lens.scale;
  lens.y -= (now.y - before.y) / lens.scale;
  emit("lens", lens);
}

/**
 * Make a canvas zoomable; a double click shows the whole map again.
 * @param {HTMLCanvasElement} canvas
 */
function attach(canvas) {
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(eventPoint(event), 2 ** (-event.deltaY / 300));
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, eventPoint(event));
  });
  canvas.addEventListener("pointermove", drag);
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
    canvas.addEventListener(end, ({ pointerId }) => pointers.delete(pointerId));
  canvas.addEventListener("dblclick", showWhole);
}
