/* The clock of a player: before each frame it reports the seconds since the last one. It stops while the page is hidden. */
const MAX_STEP = 250; // maximum step in milliseconds, so that a page that was hidden continues where it was

/**
 * Make a clock that is paused until a frame is requested.
 * @param {(passed: number, now: number) => void} work called with the seconds since the last frame and the current time
 * in milliseconds
 * @param {number} [every] minimum milliseconds between two frames
 */
export function makeClock(work, every = 0) {
  let pending = 0;
  let isDeferred = false; // whether a frame was requested while the page was hidden
  let last = 0; // time from which the next step is counted
  let worked = -Infinity;

  /** @param {number} now milliseconds */
  function tick(now) {
    pending = 0;
    if (now - worked < every) return requestFrame();
    const passed = Math.min(Math.max(0, now - last), MAX_STEP) / 1000; // a frame's time may be before a click's
    [last, worked] = [now, now];
    work(passed, now);
  }

  /** Request the next frame; at most one request is pending. */
  function requestFrame() {
    isDeferred = document.hidden;
    if (!pending && !isDeferred) pending = window.requestAnimationFrame(tick);
  }

  /** Ignore the time that has passed until now. */
  function begin() {
    last = performance.now();
  }

  document.addEventListener("visibilitychange", () => isDeferred && requestFrame());

  return { requestFrame, begin };
}
