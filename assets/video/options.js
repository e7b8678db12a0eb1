/* The options of a video; the browser stores the choices. */
import { browserStorage } from "../common/storage.js";

const KEY = "video";

/** @typedef {"mp4" | "webm" | "gif" | "moments"} Format */
/** @typedef {{ format: Format, size: string, theme: string, seconds: string, fps: string, moments: string }} Options */

/** @type {Options} */
const DEFAULTS = { format: "mp4", size: "1920x1080", theme: "page", seconds: "10", fps: "30", moments: "9" };

/** The choices, in the order of the dialog; `frame.js` defines the sizes. */
export const VALUES = {
  format: ["mp4", "webm", "gif", "moments"],
  size: ["1920x1080", "1280x720", "1080x1080"],
  theme: ["page", "light", "dark"],
  seconds: ["5", "10", "20", "40"],
  fps: ["24", "30", "60"],
  moments: ["6", "9", "12"],
};

/** @type {(keyof Options)[]} */
export const NAMES = ["format", "size", "theme", "seconds", "fps", "moments"];

/**
 * The options of each format.
 * @type {Record<Format, (keyof Options)[]>}
 */
export const OF = {
  mp4: ["size", "theme", "seconds", "fps"],
  webm: ["size", "theme", "seconds", "fps"],
  gif: [],
  moments: ["size", "theme", "moments"],
};

const SQUARE = 0.8; // ratio of height to width from which a map counts as square
const PHONE = 768; // window width in pixels below which it is a phone, which encodes the smaller size faster

/**
 * Return the stored options; sizes for square and for wide maps are stored separately. @returns {Record<string,
 * string>}
 */
const readStored = () => browserStorage.read(KEY) || {};

/** Return the storage key of the chosen size for maps of a shape. @param {number} shape ratio of height to width */
const sizeKey = (shape) => (shape > SQUARE ? "size-square" : "size-wide");

/**
 * Return the stored options, or else suitable ones: a square map would leave half of a wide video empty.
 * @param {number} shape of the shown map: the ratio of its height to its width
 * @returns {Options}
 */
export function loadOptions(shape) {
  const usual = shape > SQUARE ? "1080x1080" : DEFAULTS.size;
  const { [sizeKey(shape)]: size, ...others } = readStored();
  return { ...DEFAULTS, ...others, size: size || (window.innerWidth < PHONE ? "1280x720" : usual) };
}

/**
 * @param {Options} options
 * @param {number} shape
 */
export const storeOptions = ({ size, ...others }, shape) =>
  browserStorage.store(KEY, { ...readStored(), ...others, [sizeKey(shape)]: size });
