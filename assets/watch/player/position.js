/* The player's position in a run, and the chosen speed, stored for this tab across reloads. */
import { viewAddress } from "../../common/present/view_address.js";
import { run } from "../run.js";
import { SPEEDS, chooseSpeed, state } from "./state.js";

const KEY = "place";
const SPEED = "speed"; // moves a second; 0 follows the run

function storePosition() {
  const { id } = run;
  const { climb, position, live, speed, chosen } = state;
  try {
    if (chosen) window.sessionStorage.setItem(SPEED, String(SPEEDS[speed] || 0));
    if (id) window.sessionStorage.setItem(KEY, JSON.stringify({ run: id, climb, position, live }));
  } catch {
    return; // storage is denied: a reload begins with the first climb
  }
}

/**
 * Return the position in a run from the address, else the stored one, only once; null without one.
 * @param {string | null} run
 * @returns {{climb: number, position: number, live: boolean} | null}
 */
function takePosition(run) {
  const linked = viewAddress.takePlace(run);
  if (linked) return linked;
  try {
    const place = JSON.parse(window.sessionStorage.getItem(KEY) || "null");
    if (place?.run !== run) return null;
    window.sessionStorage.removeItem(KEY);
    return place;
  } catch {
    return null;
  }
}

function restoreSpeed() {
  try {
    const saved = window.sessionStorage.getItem(SPEED);
    const position = [...SPEEDS, 0].indexOf(Number(saved));
    if (saved !== null && position >= 0) chooseSpeed(position);
  } catch {
    return; // storage is denied: each climb gets a suitable speed
  }
}

restoreSpeed();
window.addEventListener("pagehide", storePosition);
export const place = { takePosition };
