/* The score of predictions, right answers out of all, stored for this tab. */
const KEY = "predictions";

/** @returns {{ right: number, asked: number }} */
function read() {
  try {
    const { right, asked } = JSON.parse(window.sessionStorage.getItem(KEY) || "{}");
    if (Number.isInteger(right) && Number.isInteger(asked)) return { right, asked };
  } catch {
    // storage is denied: the score begins again with each page
  }
  return { right: 0, asked: 0 };
}

/** @type {{ right: number, asked: number } | null} */
let saved = null; // once it has been read

const current = () => (saved ||= read());

/** @param {{ right: number, asked: number }} score */
function storeScore(score) {
  saved = score;
  try {
    window.sessionStorage.setItem(KEY, JSON.stringify(score));
  } catch {
    // storage is denied: the page remembers it
  }
}

/** @param {boolean} right */
const count = (right) => storeScore({ right: current().right + Number(right), asked: current().asked + 1 });

export const score = { current, count, reset: () => storeScore({ right: 0, asked: 0 }) };
