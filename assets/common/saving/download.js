/* Downloads: file names, and saving in the browser. */
import { element } from "../elements.js";

const RELEASE_AFTER = 60000; // milliseconds until a saved object is released

/** @typedef {string | number | null | undefined} Field of CSV */

/**
 * Save the file at an address under a name.
 * @param {string} address
 * @param {string} name
 * @param {boolean} [passing] whether the address refers to an object that this page holds only until it is saved
 */
export function download(address, name, passing = false) {
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  if (passing) window.setTimeout(() => URL.revokeObjectURL(address), RELEASE_AFTER);
}

/** @param {string} text */
const safe = (text) =>
  text
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60) || "tour";

/**
 * Return a file name such as "berlin52-two-opt-7542", by the rule of `runs/web/downloads.py`.
 * @param {Field[]} parts missing ones are left out
 */
export const fileName = (...parts) =>
  parts
    .filter((part) => part !== null && part !== undefined)
    .map((part) => safe(String(part)))
    .join("-");

/**
 * Return a field of CSV; text that a spreadsheet would take for a formula is prefixed with an apostrophe.
 * @param {Field} value
 */
function field(value) {
  if (value === null || value === undefined) return "";
  const formula = typeof value === "string" && /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value));
  const text = formula ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Format rows of fields as CSV.
 * @param {Field[][]} rows the first row holds the column names
 */
export const csv = (rows) => rows.map((row) => `${row.map(field).join()}\r\n`).join("");

/**
 * Save CSV as a file with this name.
 * @param {string} text
 * @param {string} name
 */
export function saveCsv(text, name) {
  download(URL.createObjectURL(new Blob([text], { type: "text/csv" })), name, true);
}

/**
 * Save rows as a CSV file with this name.
 * @param {Field[][]} rows the first row holds the column names
 * @param {string} name
 */
export const downloadCsv = (rows, name) => saveCsv(csv(rows), name);

/**
 * Escape a text for Plotly, which interprets some HTML in texts.
 * @param {string} text
 */
export const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
