/* The runs of a lesson: the form is filled by the page's address, as by a link, and then Start is pressed. */
import { setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";

const PATIENCE = 20_000; // milliseconds after which the form will not be filled any more
const ACTIVE = ["compiling", "running", "paused"];
const FINAL = ["finished", "cancelled", "failed", "interrupted"];
const START = { watch: "start", race: "race-start" };

/** Whether the page is at work on a run already. */
const active = () => ACTIVE.includes(document.body.dataset.runState || "");

/** Whether the run that the page shows has ended. */
const ended = () => FINAL.includes(document.body.dataset.runState || "");

/**
 * Resolves to whether `look` becomes true within a time.
 * @param {() => boolean} look
 * @returns {Promise<boolean>}
 */
function until(look) {
  const latest = performance.now() + PATIENCE;
  return new Promise((done) =>
    when(
      () => look() || performance.now() > latest,
      () => done(look()),
    ),
  );
}

/**
 * Fill the form of this page, and start.
 * @param {"watch" | "race"} page
 * @param {string} query of the address that fills the form
 * @param {() => void} pressing is called before Start is pressed
 * @returns {Promise<boolean>} whether Start was pressed; else the note beside it says why not
 */
async function begin(page, query, pressing) {
  const button = () => /** @type {HTMLButtonElement} */ (byId(START[page]));
  await until(() => !button().disabled);
  setProps("url", { search: query });
  // The button is disabled while an address is read, and enabled when all that it changes has changed and is loaded.
  const ready = () => !button().disabled && button().getAttribute("aria-disabled") !== "true";
  if (!(await until(() => button().disabled)) || !(await until(ready))) return false;
  pressing();
  button().click();
  return true;
}

export const starting = { active, begin, ended };
