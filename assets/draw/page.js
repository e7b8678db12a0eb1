/* Makes a drawing the chosen instance of its page, so that it can be run. */
import { readProp, setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";
import { bringMap } from "../common/map/bring.js";
import { decode } from "./codec.js";

const value = () => readProp("instance", "value");

/** Return the drawing that is the page's instance, or null if the instance is not a drawing. */
export function current() {
  const isChosen = value();
  return typeof isChosen === "string" && isChosen.startsWith('{"drawn"') ? decode(JSON.parse(isChosen)) : null;
}

/**
 * Choose a drawing as the page's instance.
 * @param {DrawnReference} reference
 */
export const choose = (reference) => setProps("choice", { data: { value: JSON.stringify(reference), at: Date.now() } });

/**
 * Press Start once a drawing is the page's instance.
 * @param {DrawnReference} reference
 */
export function solve(reference) {
  choose(reference);
  const chosen = () => String(value()).includes(`"${reference.cities}"`) && !byId("start").disabled;
  when(chosen, () => {
    byId("start").click();
    bringMap("center");
  });
}
