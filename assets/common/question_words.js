/* Formats questions to the class. They arrive as keys of texts, so that each page shows them in its own language. */
import { format } from "./format.js";
import { text } from "./texts.js";

/** @param {string | { measure: number }} value */
const formatValue = (value) => (typeof value === "string" ? value : format.measure(value.measure));

/** @param {Said} part */
export function sentenceOf(part) {
  if (typeof part === "string") return part;
  const values = Object.fromEntries(
    Object.entries(part.values || {}).map(([name, value]) => [name, formatValue(value)]),
  );
  const [, kind, what, rule] = part.key.split(".");
  if (kind === "temperature") return text("question.temperature", values);
  if (kind === "edges") return text("question.edges", values);
  if (kind === "yes") return text(`question.yes.${/** @type {"longer"} */ (what)}`, values);
  if (kind === "no") return text(`question.no.${/** @type {"longer"} */ (what)}`, values);
  if (what === "edges") return text(`question.ask.edges.${/** @type {"best"} */ (rule)}`, values);
  if (what === "city") return text(`question.ask.city.${/** @type {"ant"} */ (rule)}`, values);
  return text(`question.ask.${/** @type {"edge"} */ (what)}`, values);
}

/** @param {Said[]} parts */
export const sentencesOf = (parts) => parts.map(sentenceOf).join(" ");
