/*
 * Choosing cities or edges on the map, by mouse, finger or keyboard. The arrow keys move through the choices: edges in
 * the order of the tour; cities left and right, up and down. During a choice the map handles the keys, otherwise the
 * player does.
 */
import { byId, when } from "../../common/dom.js";
import { hotkeys } from "../../common/hotkeys.js";
import { findIndistinguishable, citiesNear, edgesNear, pointerReach } from "../../common/map/picking.js";
import { listenToTaps } from "../../common/map/taps.js";
import { tour } from "./tour.js";

const MANY = 5; // more candidates than this near the pointer are too crowded to choose from
const FAR = 10; // edges that the up and down arrows skip

/**
 * The choices, and their listener.
 * @typedef {object} Choice
 * @property {(city: number) => boolean} [open] whether a city can be chosen; without it, edges are chosen
 * @property {Int32Array} [pairs] the edges, in the order of the tour
 * @property {HTMLElement[]} [buttons] choices in place of the map
 * @property {(alike: number[]) => void} pick called with the candidates under the pointer, the nearest first
 * @property {(at: number | null) => void} point called with the item that a pick would choose
 * @property {() => void} crowded called if there are too many candidates
 * @property {() => void} leave called on Escape
 */

/** @type {Choice | null} */
let choice = null;
/** @type {number | null} */
let pointed = null;

/**
 * Return the items near a point of the canvas, the nearest first.
 * @param {Choice} choice
 * @param {{ x: number, y: number }} point
 * @param {string} pointer
 */
function findNear({ open, pairs }, point, pointer) {
  const [map, place] = [tour.map(), tour.place()];
  if (!map || !place) return [];
  const reach = pointerReach(pointer);
  const nearby = pairs ? edgesNear(map.xy, pairs, place, point, reach) : citiesNear(map.xy, place, point, reach, open);
  return nearby.length ? findIndistinguishable(nearby, pointer).map(({ at }) => at) : [];
}

/** @param {number | null} at */
function point(at) {
  if (pointed === at) return;
  pointed = at;
  choice?.point(at);
}

/**
 * @param {{ x: number, y: number }} place
 * @param {string} pointer
 */
function onTap(place, pointer) {
  if (!choice || choice.buttons) return;
  const nearby = findNear(choice, place, pointer);
  if (nearby.length > MANY) choice.crowded();
  else if (nearby.length) choice.pick(nearby);
}

/** @param {{ x: number, y: number } | null} place */
function onHover(place) {
  if (choice && !choice.buttons) point(place ? (findNear(choice, place, "mouse")[0] ?? null) : null);
}

/**
 * Return the cities that can be chosen, sorted along one axis of the map.
 * @param {Choice} choice
 * @param {0 | 1} axis x or y
 */
function sortAlong({ open = () => true }, axis) {
  const xy = tour.map()?.xy || new Float64Array(0);
  const cities = Array.from({ length: xy.length / 2 }, (_, city) => city).filter(open);
  return cities.sort((a, b) => xy[2 * a + axis] - xy[2 * b + axis] || a - b);
}

/**
 * Move the keyboard focus to the next of some buttons.
 * @param {HTMLElement[]} buttons
 * @param {1 | -1} way
 */
function moveFocus(buttons, way) {
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const first = way > 0 ? 0 : buttons.length - 1;
  buttons[at < 0 ? first : (at + way + buttons.length) % buttons.length].focus();
}

/**
 * Move from the item pointed at to the next one.
 * @param {0 | 1} axis horizontal or vertical
 * @param {1 | -1} way
 */
function move(axis, way) {
  if (!choice) return;
  const { pairs, buttons } = choice;
  if (buttons) return moveFocus(buttons, way);
  const all = pairs ? Array.from({ length: pairs.length / 2 }, (_, k) => k) : sortAlong(choice, axis);
  if (!all.length) return;
  const by = pairs && axis ? FAR * way : way;
  const at = pointed === null ? -1 : all.indexOf(pointed);
  const next = at < 0 ? (way > 0 ? 0 : all.length - 1) : (((at + by) % all.length) + all.length) % all.length;
  point(all[next]);
}

/** @type {Record<string, () => unknown>} */
const KEYS = {
  ArrowLeft: () => move(0, -1),
  ArrowRight: () => move(0, 1),
  ArrowUp: () => move(1, 1),
  ArrowDown: () => move(1, -1),
  Enter: () => pointed !== null && choice?.pick([pointed]),
  Escape: () => choice?.leave(),
};

/** @param {boolean} on */
function showCanvas(on) {
  const canvas = byId("tour");
  if (!canvas) return;
  canvas.dataset.choosing = String(on);
  if (on) canvas.tabIndex = 0;
  else canvas.removeAttribute("tabindex");
}

/**
 * Start a choice. Focus on the player moves to the map.
 * @param {Choice} next
 */
function begin(next) {
  choice = next;
  pointed = null;
  showCanvas(!next.buttons);
}

function end() {
  choice = null;
  pointed = null;
  showCanvas(false);
}

hotkeys.listen(
  "tour",
  KEYS,
  [],
  () => null,
  () => !choice,
);
when(
  () => byId("tour"),
  (canvas) => listenToTaps(canvas, { tap: onTap, hover: onHover }),
);
export const chooser = {
  begin,
  end,
  focus: () => byId("tour")?.focus({ preventScroll: true }),
  /**
   * Whether the map handles a key now.
   * @param {string} key
   */
  takes: (key) => Boolean(choice) && key in KEYS,
};
