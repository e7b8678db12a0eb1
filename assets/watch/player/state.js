/* Where the player is, and how fast it goes, whichever of the two plays. */
const SPEEDS = [1, 2, 4, 8, 12, 24, 60, 240, 1000]; // moves a second; one position further is "as it comes"
const USUAL = 4; // position of the speed at first

/** @type {PlayerState} */
const state = { climb: 0, position: 0, playing: false, speed: USUAL, live: false };

/** Whether a person wants little motion. */
const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const followsRun = () => state.speed >= SPEEDS.length;
const speed = () => SPEEDS[Math.min(state.speed, SPEEDS.length - 1)];

/** What is played needs a speed that is not the run's. */
function leaveRunsSpeed() {
  if (followsRun()) state.speed = USUAL;
}

export { SPEEDS, calm, followsRun, leaveRunsSpeed, speed, state };
