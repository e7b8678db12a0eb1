/*
 * A lecture on a shared server: the script by which a page leads or follows one is another, which is fetched where the
 * page has a place for it; no other server's has. A page that can be led lends it what it works on.
 */
import { byId, when } from "../dom.js";
import { on } from "../events.js";
import { show } from "../faults.js";
import { stream } from "../stream.js";
import { part } from "./parts.js";

/** @type {LectureStage | RaceStage | null} */
let stage = null;
/** @type {LectureValues | null} */
let newest = null; // what arrived before the script was loaded

/**
 * Give a lecture access to this page's state.
 * @param {LectureStage | RaceStage} given
 */
function lend(given) {
  stage = given;
}

async function begin() {
  if (!byId("lecture")) return;
  try {
    (await part("lecture"))["lecture/main.js"].begin(stage, stream.attend, on, newest);
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
  }
}

on("lecture", (values) => (newest = values));
when(
  () => byId("page") && (!stage || stage.isReady()),
  () => begin(),
);
export const lecture = { lend };
