/* A race page that follows the lecturer: it opens their race, and shows the same moment. */
import { setProps } from "../common/callbacks.js";

const CLOSE = 0.002; // seconds within which two clocks are equal

/**
 * Make the part that follows the lecturer.
 * @param {RaceStage} stage
 */
export function makeRaceFollower({ race, player, named }) {
  /** @type {LecturePlace | null} */
  let place = null; // the lecturer's position, while this page follows
  let shownRace = ""; // the last race shown on this page
  /** @type {Set<string>} */
  const opened = new Set(); // races opened by following

  /** Apply the position, as far as the race is loaded. */
  async function applyPlace() {
    if (!place?.query) return; // the lecturer is setting up a race; each page has its own form
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
    if (opened.has(query) && !race.id) return; // the race is being opened
    opened.add(query);
    if (window.location.search === `?${query}`) return; // the page is opening the race from its own address
    setProps("url", { search: `?${query}` });
  }

  return {
    applyAgain: applyPlace,
    more: applyPlace,
    isFollowing: () => place !== null,
    /** Return whether the open race is one that the lecturer has shown, or no race was open yet. */
    isLed() {
      const [before, now] = [shownRace, named()];
      shownRace = now;
      return now ? opened.has(now) || now === place?.query : !before;
    },
    /** @param {LecturePlace | null} next */
    to(next) {
      place = next;
      return applyPlace();
    },
  };
}
