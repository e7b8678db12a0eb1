/* The walk along recorded climbs, as a reducer: what the tour's player is doing, and where it is. */
const REST = 1.2; // seconds at a local optimum

/**
 * @typedef {"away" | "fetching" | "live" | "resting" | "standing" | "walking"} Mode in order: another player is active;
 * a climb is requested; the run is followed; the player rests at the end of a climb; it is paused; it plays
 * @typedef {{ climber: number, position: number, isPending: boolean }} Target a requested climb, which may not exist
 * yet, and the number of finished moves; Infinity for its end
 * @typedef {object} Walk
 * @property {Mode} mode
 * @property {boolean} playing whether to play, also once a requested climb arrives
 * @property {Climb | null} climb the current one
 * @property {number} clock finished moves, with the fraction of the one in progress
 * @property {number} rest remaining seconds at the local optimum
 * @property {number} leaving time at which the first phase of a single step ends; Infinity until the phase is on the
 * screen
 * @property {Target | null} target
 * @property {boolean} wantsEnd whether a person wants the end of the climb, even if it is not known yet
 * @property {boolean} stopsAtEnd whether playback stops at the end of this climb
 * @property {boolean} awaitsEnd whether to show the end of the run as soon as it arrives
 */

/** @type {Walk} */
export const START = {
  ...{ mode: "standing", playing: false, climb: null, clock: 0, rest: 0, leaving: 0, target: null },
  ...{ wantsEnd: false, stopsAtEnd: false, awaitsEnd: false },
};

/** @param {boolean} playing */
const movement = (playing) => (playing ? "walking" : "standing");

/**
 * Let time pass while a climb is played. While another climb is being fetched, stop at the end of this one.
 * @param {Walk} walk
 * @param {{ seconds: number, speed: number, stride: number }} passed seconds that have passed, steps a second, and
 * recorded moves per step
 * @returns {Partial<Walk>}
 */
function tick(walk, { seconds, speed, stride }) {
  const { mode, climb, rest } = walk;
  if (!climb) return {};
  if (mode === "resting") return { rest: rest - seconds };
  const clock = Math.min(climb.count, walk.clock + seconds * speed * stride);
  if (mode === "fetching" || clock < climb.count || !climb.whole) return { clock };
  return { mode: "resting", clock, rest: climb.count ? Math.min(REST, 30 / speed) : 1 / speed };
}

/**
 * The change made by each action.
 * @type {Record<string, (walk: Walk, values: any) => Partial<Walk>>}
 */
const ACTIONS = {
  open: (_, { playing }) => ({ ...START, playing }),
  reset: ({ mode }) => ({ ...START, mode: mode === "away" ? mode : "standing" }),
  leave: () => ({ mode: "away", target: null }),
  enter: (_, { playing }) => ({ mode: movement(playing), playing }),
  follow: () => ({ mode: "live", playing: true, target: null }),
  stopFollowing: () => ({ mode: "standing", playing: false }),
  fetch: (_, { target, awaitsEnd = false }) => ({ mode: "fetching", target, awaitsEnd }),
  show: ({ playing, target }, { climb, clock }) => ({
    ...{ mode: movement(playing), target: null, climb, clock, leaving: 0, wantsEnd: target?.position === Infinity },
  }),
  extend: ({ wantsEnd, clock }, { climb }) => ({ climb, clock: wantsEnd ? climb.count : clock }),
  fail: () => ({ mode: "standing", target: null, playing: false }),
  play: ({ mode }, { clock }) => ({
    ...{ mode: mode === "fetching" ? mode : "walking", playing: true, clock },
    ...{ wantsEnd: false, stopsAtEnd: false, awaitsEnd: false },
  }),
  playAlone: (_, { playing, alone }) => ({ playing, stopsAtEnd: alone }),
  pause: ({ mode }, { clock }) => ({ mode: mode === "fetching" ? mode : "standing", playing: false, clock }),
  seek: (_, { clock, wantsEnd = false, leaving = 0 }) => ({ clock, wantsEnd, leaving, awaitsEnd: false }),
  beat: (_, { leaving }) => ({ leaving }),
  wait: () => ({ rest: 0.1 }),
  tick,
};

/**
 * Return the walk after an action.
 * @param {Walk} walk
 * @param {string} action
 * @param {object} [values] of the action
 * @returns {Walk}
 */
export const reduce = (walk, action, values = {}) => ({ ...walk, ...ACTIONS[action](walk, values) });
