/* The clock of a player: before each frame it reports the seconds since the last one. */
const MOST = 250; // milliseconds: a page that was hidden continues where it was

/**
 * A clock that is stopped until somebody requests a frame.
 * @param {(passed: number, now: number) => void} work takes seconds since the last moment, and milliseconds of now
 * @param {number} [every] milliseconds between two moments at least
 */
function makeClock(work, every = 0) {
  let pending = 0;
  let last = 0; // time counts from here
  let worked = -Infinity;

  /** @param {number} now milliseconds */
  function tick(now) {
    pending = 0;
    if (now - worked < every) return ask();
    const passed = Math.min(Math.max(0, now - last), MOST) / 1000; // a picture's time may lie before a click's
    [last, worked] = [now, now];
    work(passed, now);
  }

  /** Request the next frame; at most one request is pending. */
  function ask() {
    if (!pending) pending = window.requestAnimationFrame(tick);
  }

  /** Time that has passed until now does not count. */
  function begin() {
    last = performance.now();
  }

  return { ask, begin };
}

export { makeClock };
