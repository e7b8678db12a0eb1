/* The player's place in a run, kept for this tab over a reload. */
import { run } from "../run.js";
import { state } from "./state.js";

const KEY = "place";

function keep() {
  const { id } = run;
  if (!id) return;
  const { climb, position, live } = state;
  try {
    window.sessionStorage.setItem(KEY, JSON.stringify({ run: id, climb, position, live }));
  } catch {
    return; // storage is denied: a reload begins with the first climb
  }
}

/**
 * The place that was kept of a run, once; null if there is none.
 * @param {string | null} run
 * @returns {{climb: number, position: number, live: boolean} | null}
 */
function take(run) {
  try {
    const place = JSON.parse(window.sessionStorage.getItem(KEY) || "null");
    if (place?.run !== run) return null;
    window.sessionStorage.removeItem(KEY);
    return place;
  } catch {
    return null;
  }
}

window.addEventListener("pagehide", keep);
export const place = { take };
