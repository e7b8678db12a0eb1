/* Makes a drawing the chosen instance of its page, so that it can be run. */
import { readProp, setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";
import { decode } from "./codec.js";

const value = () => readProp("instance", "value");

/** The drawing that is the page's instance, or null if it is another instance. */
function current() {
  const chosen = value();
  return typeof chosen === "string" && chosen.startsWith('{"drawn"') ? decode(JSON.parse(chosen)) : null;
}

/**
 * Choose a drawing as the page's instance.
 * @param {DrawnReference} reference
 */
const choose = (reference) => setProps("choice", { data: { value: JSON.stringify(reference), at: Date.now() } });

/**
 * Press Start once a drawing is the page's instance.
 * @param {DrawnReference} reference
 */
function solve(reference) {
  choose(reference);
  const chosen = () => String(value()).includes(`"${reference.cities}"`) && !byId("start").disabled;
  when(chosen, () => {
    byId("start").click();
    // on a narrow screen the tour is not visible
    if (window.matchMedia("(max-width: 767.98px)").matches) byId("tour").scrollIntoView({ block: "center" });
  });
}

export { choose, current, solve };
