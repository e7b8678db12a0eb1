/* Numbers, gaps, rates and times as the page writes them. */
import { MINUS, THIN, integer } from "./integer.js";
import { text, word } from "./texts.js";

const NONE = "\u2013"; // shown where a number is missing
const RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"; // superscript digits
const MARK = text("number.decimal"); // decimal mark of the language
/** @type {[number, string, number][]} */
const SPANS = [
  [7200, text("time.hours"), 3600],
  [172800, text("time.days"), 86400],
  [63113904, text("time.years"), 31556952],
]; // lower bounds, and their seconds
const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];

/**
 * Format a number of cities: 1 city, 2 392 cities.
 * @param {number} n
 */
const cities = (n) => text("instance.cities", { count: n });

/**
 * Replace the decimal point by the language's decimal mark: 0.60 is 0,60 in German.
 * @param {string | number} digits
 */
const replaceMarks = (digits) => String(digits).replace(".", MARK).replace("-", MINUS);

/**
 * Format a number with a fixed number of decimals: 0.60.
 * @param {number} value
 * @param {number} digits
 */
const fixed = (value, digits) => replaceMarks(value.toFixed(digits));

/**
 * Format a whole number with a sign: −1 204, +34, ±0.
 * @param {number} value
 */
function signed(value) {
  if (Math.round(Math.abs(value)) === 0) return "\u00b10";
  return value > 0 ? `+${integer(value)}` : integer(value);
}

/**
 * Format a percentage with a sign; a non-zero gap is never rounded to zero.
 * @param {number} value
 */
function percent(value) {
  const size = Math.abs(value);
  const sign = value < 0 ? MINUS : "+";
  if (size >= 999.5) return `${sign}${integer(size)}${THIN}%`;
  let digits = size >= 9.995 ? 1 : 2;
  if (size > 0 && size < 0.005) digits = Math.min(20, Math.ceil(-Math.log10(size)));
  return `${sign}${fixed(size, digits)}${THIN}%`;
}

/**
 * Return the gap of `length` to `reference` in percent; null if undefined. Percentages of a reference that is not
 * positive are undefined, except for an equal length, whose gap is 0. `data/gaps.py` has the same rule.
 * @param {number} length
 * @param {number | null} [reference]
 */
function gapPercent(length, reference = null) {
  if (length === reference) return 0;
  return reference !== null && reference > 0 ? (100 * (length - reference)) / reference : null;
}

/**
 * Format a gap with a sign: in percent, or as a length if the reference is not positive.
 * @param {number} length
 * @param {number} reference
 */
function gap(length, reference) {
  const percents = gapPercent(length, reference);
  return percents === null ? signed(length - reference) : percent(percents);
}

/**
 * State how many missing edges a tour uses; empty if none. A missing edge is longer than all other edges of a tour
 * together.
 * @param {number} length
 * @param {number} missingWeight length of a missing edge; 0 if there are none
 */
function missingSentence(length, missingWeight) {
  const count = missingWeight ? Math.floor(length / missingWeight) : 0;
  return count ? text("edges.missing", { count }) : "";
}

/**
 * Format the gap as a sentence: "12.9 % above optimal", "optimal", "no optimum known".
 * @param {number} length
 * @param {number | null} optimum
 * @param {boolean} proven
 */
function gapSentence(length, optimum, proven) {
  if (optimum === null) return text("instance.no-optimum");
  const kind = proven ? "optimal" : "best-known";
  if (length === optimum) return text(`gap.${kind}`);
  return text(`gap.${length > optimum ? "above" : "below"}.${kind}`, { gap: gap(length, optimum).slice(1) });
}

/**
 * Format a number with three significant digits and an SI prefix: 1.24 G, 812 k.
 * @param {number} value
 */
function si(value) {
  if (!Number.isFinite(value)) return NONE;
  let power = 0;
  let scaled = value;
  while (Math.abs(scaled) >= 999.5 && power < PREFIXES.length - 1) {
    scaled /= 1000;
    power += 1;
  }
  const digits = power === 0 && Number.isInteger(scaled) ? scaled.toString() : scaled.toPrecision(3);
  return PREFIXES[power] ? `${replaceMarks(digits)}${THIN}${PREFIXES[power]}` : replaceMarks(digits);
}

/**
 * Format a measure of any size with three significant digits: 0.0123, 4.56·10⁻⁷.
 * @param {number} value
 */
function measure(value) {
  if (!Number.isFinite(value)) return NONE;
  const [digits, exponent] = value.toExponential(2).split("e");
  const power = Number(exponent);
  if (power >= -3 && power < 5) return replaceMarks(Number(value.toPrecision(3)));
  const raised = [...String(Math.abs(power))].map((digit) => RAISED[Number(digit)]).join("");
  return `${replaceMarks(Number(digits))}\u00b710${power < 0 ? "\u207b" : ""}${raised}`;
}

/**
 * Format a rate: 1.24 G/s.
 * @param {number} value
 */
const rate = (value) => (Number.isFinite(value) ? `${si(value)}/s` : NONE);

/**
 * Format a time with a suitable unit: 12 µs, 1.5 ms, 3.20 s, 2 min 05 s.
 * @param {number} value
 */
function seconds(value) {
  if (!Number.isFinite(value)) return NONE;
  if (value >= 59.95) {
    const whole = Math.round(value);
    return `${Math.floor(whole / 60)}${THIN}min ${String(whole % 60).padStart(2, "0")}${THIN}s`;
  }
  if (value >= 0.9995) return `${replaceMarks(value.toPrecision(3))}${THIN}s`;
  if (value >= 0.000995) return `${replaceMarks((value * 1e3).toPrecision(value < 0.01 ? 2 : 3))}${THIN}ms`;
  return value > 0 ? `${replaceMarks(Number((value * 1e6).toPrecision(2)))}${THIN}\u00b5s` : `0${THIN}s`;
}

/**
 * Format a duration in everyday units: 12 µs, 3.20 s, 4.1 hours, 5.6 days, 230 years.
 * @param {number} value seconds
 */
function span(value) {
  if (!Number.isFinite(value) || value < SPANS[0][0]) return seconds(value);
  const [, name, unit] = SPANS.findLast(([least]) => value >= least) || SPANS[0];
  const count = value / unit;
  return `${count < 9.95 ? replaceMarks(Number(count.toPrecision(2))) : integer(Number(count.toPrecision(2)))}${THIN}${name}`;
}

/**
 * Format an amount of memory: 3.64 GB.
 * @param {number} value
 */
const bytes = (value) => `${si(value)}${value < 999.5 ? THIN : ""}B`;

/**
 * Return an algorithm's unit in the language of the page: climber.
 * @param {string} name
 */
const unit = (name) => word(`unit.${name.replaceAll(" ", "-")}`, name);

/**
 * Return the plural of a unit: climbers, tries.
 * @param {string} name
 */
const plural = (name) => word(`unit.${name.replaceAll(" ", "-")}.many`, pluralEnglish(name));

/**
 * Return the plural of a unit in English, as in the names of parameters.
 * @param {string} name
 */
function pluralEnglish(name) {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return name + (/(s|x|ch|sh)$/.test(name) ? "es" : "s");
}

export const format = {
  integer,
  replaceMarks,
  fixed,
  cities,
  signed,
  percent,
  gap,
  gapPercent,
  gapSentence,
  missingSentence,
  si,
  measure,
  rate,
  seconds,
  span,
  bytes,
  unit,
  plural,
  pluralEnglish,
  MARK,
  NONE,
  THIN,
  MINUS,
};
