/* The lecturer's page: sends its newest position to the server. */
import { readJson } from "../common/response.js";
import { basePath } from "../common/dom.js";
import { pageHere, queryHere } from "./place.js";

const EVERY = 120; // milliseconds between two positions; the server would pass on no more
const LOOK = 500; // milliseconds between two checks of the address of a page that reports no changes
const AGAIN = 1000; // milliseconds until a retry if the server did not answer

/**
 * Send the server a request about the class.
 * @param {string} what last part of the route
 * @param {string} [body]
 */
export const post = (what, body) =>
  fetch(`${basePath()}class/${what}`, { method: "POST", body: body || "{}" }).catch(() => null);

/**
 * Describe the page and its position; null while a run's data has not arrived, or if Watch shows no run. A run or race
 * that is followed live has no position, since each page follows it by itself.
 * @param {LectureStage | RaceStage | null} stage
 * @param {string} lecture
 * @returns {LecturePlace | null}
 */
export function describePlace(stage, lecture) {
  const nothing = { lecture, page: "watch", query: "", run: "", view: "tour", climb: 0, position: 0, live: false };
  if (!stage) return { ...nothing, page: pageHere(), query: queryHere() };
  const { live } = stage.player.state;
  if ("race" in stage) {
    const position = live ? 0 : stage.player.milliseconds();
    return { ...nothing, page: "race", query: stage.named(), position, live };
  }
  const { run, views, player } = stage;
  if (!run.id || !run.spec) return null;
  const [climb, moves] = live ? [0, 0] : [player.state.climb, Math.max(0, Math.round(player.state.position))];
  return { ...nothing, run: run.id, view: views.shown(), climb, position: moves, live };
}

/**
 * Make the sender of a page's positions.
 * @param {LectureStage | RaceStage | null} stage
 * @param {(sentence: string) => void} refused called with the reason why this page may no longer lead
 */
export function makeLeader(stage, refused) {
  let lecture = ""; // id of the lecture led by this page
  let sent = "";
  let busy = false;

  async function sendPlace() {
    const place = lecture && !busy ? describePlace(stage, lecture) : null;
    const body = JSON.stringify(place);
    if (!place || body === sent) return;
    busy = true;
    const answer = await post("lead", body);
    if (answer?.ok) sent = body;
    else if (answer) refused((await readJson(answer).catch(() => ({}))).sentence || "");
    window.setTimeout(next, answer ? EVERY : AGAIN);
  }

  function next() {
    busy = false;
    sendPlace();
  }

  if (!stage) window.setInterval(sendPlace, LOOK);
  return {
    sendPlace,
    id: () => lecture,
    /** @param {string} id */
    begin(id) {
      [lecture, sent] = [id, ""];
      sendPlace();
    },
    end() {
      lecture = "";
    },
  };
}
