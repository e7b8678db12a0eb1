/* The reader's position: lesson and step in the address, and the progress of each lesson stored in this browser. */
const KEY = "lessons";

/** @typedef {{ lesson: string, step: number }} Place steps are counted from 0 */
/** @typedef {{ step: number, done?: boolean, answers: Record<string, number> }} Progress answers by step */

/**
 * Parse the position after the `#` of an address, where steps are counted from 1; null if there is none.
 * @param {string} hash
 * @returns {Place | null}
 */
function parsePlace(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const lesson = named.get("lesson");
  return lesson ? { lesson, step: Math.max(0, Number.parseInt(named.get("step") || "1", 10) - 1 || 0) } : null;
}

/** @param {Place} place */
const formatHash = ({ lesson, step }) => `#${new URLSearchParams({ lesson, step: String(step + 1) })}`;

/** @returns {Record<string, Progress>} */
function readAll() {
  try {
    const saved = JSON.parse(window.localStorage.getItem(KEY) || "{}");
    return saved && typeof saved === "object" ? saved : {};
  } catch {
    return {}; // storage is denied, or holds another program's data
  }
}

/**
 * Return the stored progress of a lesson.
 * @param {string} lesson
 * @returns {Progress | null}
 */
function loadProgress(lesson) {
  const saved = readAll()[lesson];
  return saved && Number.isInteger(saved.step) ? { ...saved, answers: { ...saved.answers } } : null;
}

/**
 * @param {string} lesson
 * @param {Progress} progress
 */
function storeProgress(lesson, progress) {
  try {
    window.localStorage.setItem(KEY, JSON.stringify({ ...readAll(), [lesson]: progress }));
  } catch {
    // storage is denied or full: the lesson will start from the beginning
  }
}

export { formatHash, storeProgress, parsePlace, loadProgress };
