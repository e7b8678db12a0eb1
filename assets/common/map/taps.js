/* Taps on a map, as opposed to drags and pinches, which move the lens (`lens.js`). */
const STILL = 8; // pixels that a pointer may move during a tap

/** @typedef {{ x: number, y: number }} Point of a canvas, in its pixels */

/**
 * Report taps and clicks on a canvas, and the position of the mouse over it.
 * @param {HTMLCanvasElement} canvas
 * @param {object} listeners
 * @param {(point: Point, pointer: string) => void} listeners.tap
 * @param {(point: Point | null) => void} listeners.hover null when the mouse leaves
 */
export function listenToTaps(canvas, { tap, hover }) {
  /** @type {Map<number, Point & { still: boolean }>} */
  const down = new Map();
  /** @param {PointerEvent} event */
  const eventPoint = ({ offsetX: x, offsetY: y }) => ({ x, y });

  canvas.addEventListener("pointerdown", (event) => {
    for (const other of down.values()) other.still = false; // a second finger is down
    down.set(event.pointerId, { ...eventPoint(event), still: down.size === 0 && event.button === 0 });
  });
  canvas.addEventListener("pointermove", (event) => {
    const press = down.get(event.pointerId);
    const now = eventPoint(event);
    if (press && Math.hypot(now.x - press.x, now.y - press.y) > STILL) press.still = false;
    if (event.pointerType === "mouse" && !press) hover(now);
  });
  canvas.addEventListener("pointerup", (event) => {
    const press = down.get(event.pointerId);
    down.delete(event.pointerId);
    if (press?.still) tap(eventPoint(event), event.pointerType);
  });
  canvas.addEventListener("pointercancel", ({ pointerId }) => down.delete(pointerId));
  canvas.addEventListener("pointerleave", () => hover(null));
}
