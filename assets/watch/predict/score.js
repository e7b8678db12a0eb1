/* The score of predictions, the right answers out of all, stored for this tab. */
import { tabStorage } from "../../common/storage.js";

const KEY = "predictions";

/** @returns {{ right: number, asked: number }} */
function read() {
  const { right, asked } = tabStorage.read(KEY) || {};
  return Number.isInteger(right) && Number.isInteger(asked) ? { right, asked } : { right: 0, asked: 0 };
}

/** @type {{ right: number, asked: number } | null} */
let saved = null; // the score, once it has been read

const current = () => (saved ||= read());

/** @param {{ right: number, asked: number }} score */
function storeScore(score) {
  saved = score;
  tabStorage.store(KEY, score);
}

/** @param {boolean} right */
const count = (right) => storeScore({ right: current().right + Number(right), asked: current().asked + 1 });

export const score = { current, count, reset: () => storeScore({ right: 0, asked: 0 }) };
