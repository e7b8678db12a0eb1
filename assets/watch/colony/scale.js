/* The colours of pheromone, and the scale from a field's bytes to trails; the style sheet has the ramp's colours. */
import { colour } from "../../common/dom.js";

const STOPS = ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4"];

const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** The ramp's colours in the present theme, as the style sheet writes them: #rrggbb. */
const stops = () => STOPS.map(colour);

/** The colour at `share` (0 to 1) of the ramp, as [red, green, blue]. */
function at(share, colours) {
  const place = Math.min(1, Math.max(0, share)) * (colours.length - 1);
  const k = Math.min(colours.length - 2, Math.floor(place));
  return colours[k].map((from, part) => Math.round(from + (place - k) * (colours[k + 1][part] - from)));
}

/** The trail that a byte of a field stands for. */
const trailOf = ({ low, high }, byte) => low * (high / low) ** (byte / 255);

/** Where on the ramp a trail of a field lies, 0 to 1. */
function share({ low, high }, trail, log) {
  if (!log) return trail / high;
  return high > low ? Math.log(trail / low) / Math.log(high / low) : 1;
}

/** The colours of the 256 bytes of a field, as pixels. */
function pixels(values, log) {
  const colours = stops().map(parts);
  const table = new Uint8ClampedArray(4 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    const place = values.high > values.low ? share(values, trailOf(values, byte), log) : 0;
    table.set([...at(place, colours), 255], 4 * byte);
  }
  return new Uint32Array(table.buffer);
}

/** Trails with round numbers on a field's scale, from the lowest up; few. */
function ticks({ low, high }, log) {
  if (high <= low) return [high];
  if (!log) {
    const rough = high / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough);
    return Array.from({ length: Math.floor(high / step) + 1 }, (_, k) => k * step);
  }
  const [first, end] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
  if (end - first < 1) return [low, Math.sqrt(low * high), high];
  const every = Math.ceil((end - first + 1) / 6);
  const powers = Array.from({ length: end - first + 1 }, (_, k) => first + k).filter(
    (power) => (end - power) % every === 0,
  );
  return powers.map((power) => 10 ** power);
}

export const ramp = { stops, trailOf, share, pixels, ticks };
