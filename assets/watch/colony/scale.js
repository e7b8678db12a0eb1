/*
 * The colours of pheromone, and the scale that maps a field's bytes to trails; the colour ramp comes from the style
 * sheet.
 */
import { listRoundNumbers } from "../../common/charts/ticks.js";
import { colour } from "../../common/dom.js";
import { clamp, roundStep } from "../numbers.js";

/** @typedef {Pick<FieldValues, "low" | "high">} Scale */

/** @param {string} colour as in `stops` */
const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** Return the ramp's colours in the current theme, as in the style sheet: #rrggbb. */
const stops = () => [0, 1, 2, 3, 4].map((k) => colour(`heat-${k}`));

/**
 * Return the colour at `share` (0 to 1) of the ramp, as [red, green, blue].
 * @param {number} share
 * @param {number[][]} colours
 */
function colourAt(share, colours) {
  const place = clamp(share, 0, 1) * (colours.length - 1);
  const k = Math.min(colours.length - 2, Math.floor(place));
  return colours[k].map((from, part) => Math.round(from + (place - k) * (colours[k + 1][part] - from)));
}

/**
 * Return the trail for a byte of a field.
 * @param {Scale} scale
 * @param {number} byte
 */
const byteToTrail = ({ low, high }, byte) => low * (high / low) ** (byte / 255);

/**
 * Return the position of a trail on the ramp, 0 to 1.
 * @param {Scale} scale
 * @param {number} trail
 * @param {boolean} log
 */
function share({ low, high }, trail, log) {
  if (!log) return trail / high;
  return high > low ? Math.log(trail / low) / Math.log(high / low) : 1;
}

/**
 * Return the colours of the 256 bytes of a field, as pixels.
 * @param {Scale} values
 * @param {boolean} log
 * @param {Scale} [scale] shared by several fields, in place of the field's own
 */
function pixels(values, log, scale = values) {
  const colours = stops().map(parts);
  const table = new Uint8ClampedArray(4 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    const place = scale.high > scale.low ? share(scale, byteToTrail(values, byte), log) : 0;
    table.set([...colourAt(place, colours), 255], 4 * byte);
  }
  return new Uint32Array(table.buffer);
}

/**
 * Return a few round numbers on a field's scale, ascending.
 * @param {Scale} scale
 * @param {boolean} log
 */
function ticks({ low, high }, log) {
  if (high <= low) return [high];
  if (!log) {
    const step = roundStep(high / 4);
    return Array.from({ length: Math.floor(high / step) + 1 }, (_, k) => k * step);
  }
  const powers = listRoundNumbers(low, high, [1]);
  if (powers.length < 2) return [low, Math.sqrt(low * high), high];
  const every = Math.ceil(powers.length / 6);
  return powers.filter((_, k) => (powers.length - 1 - k) % every === 0);
}

export const ramp = { stops, byteToTrail, share, pixels, ticks };
