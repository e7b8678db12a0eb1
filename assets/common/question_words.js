/* Words of a question to the class as keys of texts, from which each page makes those of its own language. */
import { format } from "./format.js";
import { text } from "./texts.js";

/** @param {string | { measure: number }} value */
const shown = (value) => (typeof value === "string" ? value : format.measure(value.measure));

/** @param {Said} said */
function say(said) {
  if (typeof said === "string") return said;
  const values = Object.entries(said.values || {}).map(([name, value]) => [name, shown(value)]);
  return text(/** @type {"question.edges"} */ (said.key), Object.fromEntries(values));
}

/** @param {Said[]} parts */
const sayAll = (parts) => parts.map(say).join(" ");

export { say, sayAll };
