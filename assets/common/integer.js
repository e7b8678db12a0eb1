/* Formats whole numbers. */
export const THIN = "\u202f"; // narrow no-break space: between thousands, and between a number and its unit
export const MINUS = "\u2212";

/**
 * Format a whole number with thin spaces between thousands: 24 022; halves are rounded away from 0, so that a
 * difference and its negative differ only in sign.
 * @param {number} value
 */
export function integer(value) {
  const whole = Math.round(Math.abs(value));
  const digits = whole.toString().replace(/\B(?=(\d{3})+$)/g, THIN);
  return value < 0 && whole ? MINUS + digits : digits;
}
