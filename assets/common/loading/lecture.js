/*
 * Lectures on a shared server: the script to lead or follow one is fetched if the page has an element for it, which
 * only shared servers have. A page that can be led gives the script access to its state.
 */
import { byId, when } from "../dom.js";
import { on } from "../events.js";
import { show } from "../faults.js";
import { stream } from "../stream.js";
import { part } from "./parts.js";

/** @type {LectureStage | RaceStage | null} */
let stage = null;
/** @type {{ lecture: LectureValues | null, class: ClassValues | null }} */
const newest = { lecture: null, class: null }; // messages received before the script was loaded

/**
 * Give a lecture access to this page's state.
 * @param {LectureStage | RaceStage} state
 */
function setStage(state) {
  stage = state;
}

async function begin() {
  if (!byId("lecture")) return;
  try {
    (await part("lecture"))["lecture/main.js"].begin(stage, stream.setFollowing, on, newest);
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
  }
}

on("lecture", (values) => (newest.lecture = values));
on("class", (values) => (newest.class = values));
when(
  () => byId("page") && (!stage || stage.isReady()),
  () => begin(),
);
export const lecture = { setStage };
