/*
 * Lectures on a shared server: the script to lead or follow one is fetched if the page has an element for it, which
 * only shared servers have. A page that can be led gives the script access to its state.
 */
import { byId, when } from "../dom.js";
import { on } from "../events.js";
import { stream } from "../stream.js";
import { withPart } from "./with_part.js";

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

function begin() {
  if (!byId("lecture")) return;
  withPart("lecture", (modules) => modules["lecture/main.js"].begin(stage, stream.setFollowing, on, newest));
}

on("lecture", (values) => (newest.lecture = values));
on("class", (values) => (newest.class = values));
when(() => byId("page") && (!stage || stage.isReady()), begin);
export const lecture = { setStage };
