/* A page of races that follows the lecturer: it opens their race, and stands at the same second. */
import { setProps } from "../common/callbacks.js";

const CLOSE = 0.002; // seconds between two clocks that stand at the same

/**
 * Follows the lecturer.
 * @param {RaceStage} stage
 */
function makeRaceFollower({ race, player, named }) {
  /** @type {LecturePlace | null} */
  let place = null; // where the lecturer is, while this page follows
  let visible = ""; // the race that this page showed last
  /** @type {Set<string>} */
  const opened = new Set(); // the races that this page was made to open

  /** Go there, as far as the race is known. */
  async function go() {
    if (!place?.query) return; // the lecturer is setting up a race: each page has its own form
    if (place.query !== named()) open(place.query);
    else if (place.live) {
      if (race.state !== "over" && !player.state.live) player.live();
    } else {
      const at = Math.min(player.front(), place.position / 1000);
      if (player.state.live || Math.abs(player.state.clock - at) > CLOSE) player.seek(at);
    }
  }

  /** @param {string} query */
  function open(query) {
    if (opened.has(query) && !race.id) return; // it is on its way
    opened.add(query);
    if (window.location.search === `?${query}`) return; // by this page's address
    setProps("url", { search: `?${query}` });
  }

  return {
    again: go,
    more: go,
    isFollowing: () => place !== null,
    /** Whether the race that is shown is one of the lecturer's, or there was none yet. */
    isLed() {
      const [before, now] = [visible, named()];
      visible = now;
      return now ? opened.has(now) || now === place?.query : !before;
    },
    /** @param {LecturePlace | null} next */
    to(next) {
      place = next;
      return go();
    },
  };
}

export { makeRaceFollower };
