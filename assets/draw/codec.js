/* Encodes a drawing as the reference that the server and links use; see `data/collection/drawing.py` for the format. */
const VERSION = 1;
export const MAX_CITIES = 200; // maximum number of cities
export const MAX_NAME = 40; // maximum length of a city's name
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MORE = 32; // bit of a digit that means that another digit follows

/** @param {number} difference */
function digits(difference) {
  let left = difference < 0 ? -2 * difference - 1 : 2 * difference;
  let written = "";
  for (; left >= MORE; left = Math.floor(left / MORE)) written += ALPHABET[(left % MORE) + MORE];
  return written + ALPHABET[left];
}

/**
 * @param {Drawing} drawing
 * @returns {DrawnReference}
 */
export function encode({ kind, cities }) {
  let [x, y] = [0, 0];
  let written = "";
  for (const city of cities) {
    written += digits(city.x - x) + digits(city.y - y);
    [x, y] = [city.x, city.y];
  }
  /** @type {DrawnReference} */
  const reference = { drawn: VERSION, cities: written };
  if (kind !== "EUC_2D") reference.kind = kind;
  if (cities.some(({ name }) => name)) reference.names = cities.map(({ name }) => name);
  return reference;
}

/** @param {string} text */
function decodeNumbers(text) {
  const numbers = [];
  let [value, factor] = [0, 1];
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    value += factor * (digit % MORE);
    factor *= MORE;
    if (digit >= MORE) continue;
    numbers.push(value % 2 ? -(value + 1) / 2 : value / 2);
    [value, factor] = [0, 1];
  }
  return numbers;
}

/**
 * Decode a reference accepted by the server.
 * @param {DrawnReference} reference
 * @returns {Drawing}
 */
export function decode({ cities: text, kind = "EUC_2D", names = [] }) {
  const numbers = decodeNumbers(text);
  let [x, y] = [0, 0];
  const cities = Array.from({ length: numbers.length / 2 }, (_, id) => {
    [x, y] = [x + numbers[2 * id], y + numbers[2 * id + 1]];
    return { id, x, y, name: names[id] || "" };
  });
  return { kind, cities };
}
