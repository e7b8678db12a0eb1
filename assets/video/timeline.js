/* The timeline of a video: a pause at the first moment, steady progress to the last, and a pause there. */
const FIRST = 0.05; // share of the video for the first pause
const LAST = 0.2;
const [SHORT, LONG] = [0.5, 2]; // minimum and maximum length of the last pause in seconds

/**
 * @param {number} seconds length of the whole video
 * @param {number} fps pictures a second
 */
export function timeline(seconds, fps) {
  const count = Math.round(seconds * fps);
  const before = Math.round(Math.min(SHORT, FIRST * seconds) * fps);
  const moving = count - before - Math.round(Math.min(LONG, LAST * seconds) * fps);
  return {
    /** The number of pictures in the video. */
    count,
    /**
     * The moment of a picture, 0 to 1.
     * @param {number} picture
     */
    share: (picture) => Math.min(1, Math.max(0, (picture - before + 1) / moving)),
  };
}
