/* Whole numbers as the page writes them. */
const THIN = "\u202f"; // narrow no-break space: between thousands, and between a number and its unit
const MINUS = "\u2212";

/**
 * A whole number with thin spaces between thousands: 24 022.
 * @param {number} value
 */
function integer(value) {
  const whole = Math.round(value);
  const digits = Math.abs(whole)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, THIN);
  return whole < 0 ? MINUS + digits : digits;
}

export { MINUS, THIN, integer };
