/* The reader's position: lesson and step in the address, and the progress of each lesson stored in this browser. */
import { browserStorage } from "../storage.js";

const KEY = "lessons";

/** @typedef {{ lesson: string, step: number }} Place steps are counted from 0 */
/** @typedef {{ step: number, done?: boolean, answers: Record<string, number> }} Progress answers by step */

/**
 * Parse the position after the `#` of an address, where steps are counted from 1; null if there is none.
 * @param {string} hash
 * @returns {Place | null}
 */
export function parsePlace(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const lesson = named.get("lesson");
  return lesson ? { lesson, step: Math.max(0, Number.parseInt(named.get("step") || "1", 10) - 1 || 0) } : null;
}

/** @param {Place} place */
export const formatHash = ({ lesson, step }) => `#${new URLSearchParams({ lesson, step: String(step + 1) })}`;

/** @returns {Record<string, Progress>} */
function readAll() {
  const saved = browserStorage.read(KEY);
  return saved && typeof saved === "object" ? saved : {};
}

/**
 * Return the stored progress of a lesson.
 * @param {string} lesson
 * @returns {Progress | null}
 */
export function loadProgress(lesson) {
  const saved = readAll()[lesson];
  return saved && Number.isInteger(saved.step) ? { ...saved, answers: { ...saved.answers } } : null;
}

/**
 * @param {string} lesson
 * @param {Progress} progress
 */
export const storeProgress = (lesson, progress) => browserStorage.store(KEY, { ...readAll(), [lesson]: progress });
