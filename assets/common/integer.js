/* Whole numbers as the page writes them. */
const THIN = "\u202f"; // narrow no-break space: between thousands, and between a number and its unit
const MINUS = "\u2212";

/**
 * A whole number with thin spaces between thousands: 24 022; a half is rounded away from 0, so that a difference read
 * the other way differs by its sign alone.
 * @param {number} value
 */
function integer(value) {
  const whole = Math.round(Math.abs(value));
  const digits = whole.toString().replace(/\B(?=(\d{3})+$)/g, THIN);
  return value < 0 && whole ? MINUS + digits : digits;
}

export { MINUS, THIN, integer };
