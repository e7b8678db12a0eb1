/* When a video shows which moment: it stands at the first for a while, goes evenly to the last, and stands there. */
const FIRST = 0.5; // seconds
const LAST = 2;

/**
 * @param {number} seconds from the first moment to the last
 * @param {number} fps pictures a second
 */
function timeline(seconds, fps) {
  const [before, moving, after] = [FIRST, seconds, LAST].map((each) => Math.round(each * fps));
  return {
    /** Pictures of the video. */
    count: before + moving + after,
    /**
     * The moment of a picture, 0 to 1.
     * @param {number} picture
     */
    share: (picture) => Math.min(1, Math.max(0, (picture - before + 1) / moving)),
  };
}

export { timeline };
