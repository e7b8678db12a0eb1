/* The player's position in a run, and the chosen speed, stored for this tab across reloads. */
import { viewAddress } from "../../common/present/view_address.js";
import { tabStorage } from "../../common/storage.js";
import { run } from "../run.js";
import { SPEEDS, chooseSpeed, state } from "./state.js";

const KEY = "place";
const SPEED = "speed"; // moves a second; 0 follows the run

function storePosition() {
  const { id } = run;
  const { climb, position, live, speed, chosen } = state;
  if (chosen) tabStorage.store(SPEED, SPEEDS[speed] || 0);
  if (id) tabStorage.store(KEY, { run: id, climb, position, live });
}

/**
 * Return the position in a run from the address, else the stored position; only once, and null if there is none.
 * @param {string | null} run
 * @returns {{climb: number, position: number, live: boolean} | null}
 */
function takePosition(run) {
  const linked = viewAddress.takePlace(run);
  if (linked) return linked;
  const place = tabStorage.read(KEY);
  if (place?.run !== run) return null;
  tabStorage.store(KEY, null);
  return place;
}

function restoreSpeed() {
  const position = [...SPEEDS, 0].indexOf(tabStorage.read(SPEED));
  if (position >= 0) chooseSpeed(position);
}

restoreSpeed();
window.addEventListener("pagehide", storePosition);
export const place = { takePosition };
