/* Replaces `lesson/run_starter.js` on the site: fills the form with a step's run, and solves it. */
import { data } from "./data.js";
import { lessonRun } from "./run.js";

const state = () => document.body.dataset.runState;

/**
 * @param {string} query of the step's run
 * @param {() => void} pressing called before the run starts
 */
async function begin(query, pressing) {
  lessonRun.fill(data.runs[query]);
  pressing();
  lessonRun.start();
  return true;
}

export const runStarter = {
  active: () => state() === "running",
  hasEnded: () => ["finished", "failed"].includes(state() || ""),
  begin,
};
