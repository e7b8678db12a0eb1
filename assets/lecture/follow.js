/* A page that follows the lecturer: it opens their run, in their view, at their position. */
import { setProps } from "../common/callbacks.js";

/**
 * Make the part that follows the lecturer's position.
 * @param {LectureStage} stage
 */
export function makeFollower({ run, views, player, openRun }) {
  /** @type {LecturePlace | null} */
  let place = null; // the lecturer's position, while this page follows
  /** @type {LecturePlace | null} */
  let applied = null; // the last position applied to this page
  let busy = false;
  /** @type {Set<string>} */
  const opened = new Set(); // runs opened by following

  /** Go to the newest position, skipping earlier ones. */
  async function goToNewest() {
    if (busy) return;
    busy = true;
    while (place && applied !== place && isOpen(place.run)) {
      applied = place;
      await showPlace(place);
    }
    busy = false;
  }

  /**
   * Return whether a run is open and loaded; otherwise open it.
   * @param {string} id
   */
  function isOpen(id) {
    if (run.id === id) return run.spec !== null;
    opened.add(id);
    openRun(id);
    setProps("run", { data: { run: id } });
    setProps("url", { search: `?run=${id}` });
    return false;
  }

  /** @param {LecturePlace} place */
  async function showPlace({ view, climb, position, live }) {
    if (views.shown() !== view && run.units().views.includes(view)) {
      views.choose(view);
      setProps("view", { value: view }); // select its tab as well
    }
    if (!live) await player.goToPlace(climb, position);
    else if (run.active() && !player.state.live) player.goLive();
  }

  /** Return whether the lecturer's position is ahead of the data received. */
  function isBehind() {
    if (!place || place.live) return false;
    const { climb, position } = player.state;
    return climb < place.climb || (place.view === "tour" && climb === place.climb && position < place.position);
  }

  /** Apply the position again after something else has changed the page. */
  function applyAgain() {
    applied = null;
    return goToNewest();
  }

  return {
    applyAgain,
    isFollowing: () => place !== null,
    /** Whether the open run is one that the lecturer has shown. */
    isLed: () => run.id !== null && opened.has(run.id),
    /** More data of the run has arrived. */
    more: () => (isBehind() ? applyAgain() : goToNewest()),
    /** @param {LecturePlace | null} next */
    to(next) {
      place = next;
      if (!next) applied = null;
      return goToNewest();
    },
  };
}
