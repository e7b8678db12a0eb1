/* Where a reader is: the lesson and the step that the address names, and what this browser keeps of each lesson. */
const KEY = "lessons";

/** @typedef {{ lesson: string, step: number }} Place steps are counted from 0 */
/** @typedef {{ step: number, done?: boolean, answers: Record<string, number> }} Progress answers by their steps */

/**
 * The place that an address names after its `#`; null if it names none. There steps are counted from 1.
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
function all() {
  try {
    const saved = JSON.parse(window.localStorage.getItem(KEY) || "{}");
    return saved && typeof saved === "object" ? saved : {};
  } catch {
    return {}; // storage is denied, or holds what another program wrote
  }
}

/**
 * The stored progress of a lesson.
 * @param {string} lesson
 * @returns {Progress | null}
 */
function loadProgress(lesson) {
  const saved = all()[lesson];
  return saved && Number.isInteger(saved.step) ? { ...saved, answers: { ...saved.answers } } : null;
}

/**
 * @param {string} lesson
 * @param {Progress} progress
 */
function keep(lesson, progress) {
  try {
    window.localStorage.setItem(KEY, JSON.stringify({ ...all(), [lesson]: progress }));
  } catch {
    // storage is denied or full: the lesson begins anew another time
  }
}

export { formatHash, keep, parsePlace, loadProgress };
