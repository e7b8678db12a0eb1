/* The drawing and its undo history: each change creates a new drawing. */
import { MAX_CITIES } from "./codec.js";

/** @type {Drawing} */
const EMPTY = { kind: "EUC_2D", cities: [] };

/** Make a drawing that can be changed, and its history. */
export function makeSketch() {
  let now = EMPTY;
  let ids = 0; // id of the next city
  /** @type {Drawing[]} */
  let past = [];
  /** @type {Drawing[]} */
  let future = [];
  /** @type {Drawing | null} */
  let before = null; // while a city is dragged, the drawing to restore by undo

  /** @param {readonly DrawnCity[]} cities */
  const put = (cities) => {
    now = { ...now, cities };
  };

  /** Remember the current drawing before it changes; a drag is a single change. */
  function remember() {
    if (!before) past.push(now);
    future = [];
  }

  /**
   * Replace the drawing.
   * @param {Drawing} drawing @param {boolean} [forget] whether to clear the undo history, so that there is no way back
   */
  function replace(drawing, forget = false) {
    if (forget) [past, future] = [[], []];
    else remember();
    now = { ...drawing, cities: drawing.cities.slice(0, MAX_CITIES).map((city) => ({ ...city, id: ids++ })) };
  }

  /**
   * Add a city, and return its id; -1 if there is no room for another.
   * @param {number} x
   * @param {number} y
   */
  function add(x, y) {
    if (now.cities.length >= MAX_CITIES) return -1;
    remember();
    put([...now.cities, { id: ids, x, y, name: "" }]);
    return ids++;
  }

  /**
   * @param {number} id
   * @param {number} x
   * @param {number} y
   */
  function move(id, x, y) {
    const city = find(id);
    if (!city || (city.x === x && city.y === y)) return;
    remember();
    put(now.cities.map((city) => (city.id === id ? { ...city, x, y } : city)));
  }

  /** @param {number} id */
  function remove(id) {
    if (!find(id)) return;
    remember();
    put(now.cities.filter((city) => city.id !== id));
  }

  /** @param {number} id */
  const find = (id) => now.cities.find((city) => city.id === id);

  /** Combine all following changes into one, until `release`. */
  function hold() {
    before = now;
  }

  function release() {
    if (before && before !== now) past.push(before);
    before = null;
  }

  /**
   * @param {Drawing[]} from
   * @param {Drawing[]} to
   */
  function step(from, to) {
    release();
    const other = from.pop();
    if (!other) return false;
    to.push(now);
    now = other;
    return true;
  }

  return {
    add,
    move,
    remove,
    replace,
    find,
    hold,
    release,
    clear: () => replace(EMPTY),
    undo: () => step(past, future),
    redo: () => step(future, past),
    drawing: () => now,
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}
