/* Where the player is, whichever of the two plays. */
const SPEEDS = [1, 2, 4, 8, 12, 24, 60, 240, 1000]; // moves a second; one position further is "as it comes"

/** @type {PlayerState} */
const state = { climb: 0, position: 0, playing: false, speed: 4, live: false };

export { SPEEDS, state };
