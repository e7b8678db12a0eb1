/* Starts the runs of a lesson: fills the form through the page's address, like a link, then presses Start. */
import { setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";

const PATIENCE = 20_000; // milliseconds after which the form counts as failed
const ACTIVE = ["compiling", "running", "paused"];
const FINAL = ["finished", "cancelled", "failed", "interrupted"];

/** Return whether the page has an active run. */
const active = () => ACTIVE.includes(document.body.dataset.runState || "");

/** Return whether the run on the page has ended. */
const hasEnded = () => FINAL.includes(document.body.dataset.runState || "");

/**
 * Return a promise of whether `look` returns true in time.
 * @param {() => boolean} look
 * @returns {Promise<boolean>}
 */
function waitUntil(look) {
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
 * @param {string} query query of an address for the form
 * @param {() => void} pressing called before Start is pressed
 * @returns {Promise<boolean>} whether Start was pressed; otherwise the note beside it says why not
 */
async function begin(query, pressing) {
  const button = () => /** @type {HTMLButtonElement} */ (byId("start"));
  await waitUntil(() => !button().disabled);
  setProps("url", { search: query });
  // The button is disabled while an address is read, and enabled once all changes from the address have been made.
  const ready = () => !button().disabled && button().getAttribute("aria-disabled") !== "true";
  if (!(await waitUntil(() => button().disabled)) || !(await waitUntil(ready))) return false;
  pressing();
  button().click();
  return true;
}

export const runStarter = { active, begin, hasEnded };
