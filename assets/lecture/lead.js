/* The lecturer's page: sends its newest position to the server. */
import { readJson } from "../common/answer.js";
import { basePath } from "../common/dom.js";
import { pageHere, queryHere } from "./place.js";

const EVERY = 120; // milliseconds between two places: the server passes on no more of them
const LOOK = 500; // milliseconds between two checks of the address of a page that reports no changes
const AGAIN = 1000; // milliseconds until the next try where the server did not answer

/**
 * Ask the server to lead, or to stop.
 * @param {"lead" | "stop"} what
 * @param {string} [body]
 */
const post = (what, body) =>
  fetch(`${basePath()}class/${what}`, { method: "POST", body: body || "{}" }).catch(() => null);

/**
 * What a page shows; null while that is a run of which nothing is known yet, or none on Watch. Of a run or a race that is
 * followed live there is no place: everybody's page does that by itself.
 * @param {LectureStage | RaceStage | null} stage
 * @param {string} lecture
 * @returns {LecturePlace | null}
 */
function describePlace(stage, lecture) {
  const nothing = { lecture, page: "watch", query: "", run: "", view: "tour", climb: 0, position: 0, live: false };
  if (!stage) return { ...nothing, page: pageHere(), query: queryHere() };
  const { live } = stage.player.state;
  if ("race" in stage) {
    const position = live ? 0 : Math.max(0, Math.round(1000 * stage.player.state.clock));
    return { ...nothing, page: "race", query: stage.named(), position, live };
  }
  const { run, views, player } = stage;
  if (!run.id || !run.spec) return null;
  const [climb, moves] = live ? [0, 0] : [player.state.climb, Math.max(0, Math.round(player.state.position))];
  return { ...nothing, run: run.id, view: views.shown(), climb, position: moves, live };
}

/**
 * Sends the position of a page.
 * @param {LectureStage | RaceStage | null} stage
 * @param {(sentence: string) => void} refused is called with why the server lets this page lead no longer
 */
function makeLeader(stage, refused) {
  let lecture = ""; // the id of the lecture that this page leads
  let sent = "";
  let busy = false;

  async function tell() {
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
    tell();
  }

  if (!stage) window.setInterval(tell, LOOK);
  return {
    tell,
    id: () => lecture,
    /** @param {string} id */
    begin(id) {
      [lecture, sent] = [id, ""];
      tell();
    },
    end() {
      lecture = "";
    },
  };
}

export { makeLeader, describePlace, post };
