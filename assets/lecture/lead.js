/* The lecturer's page: it tells the server where it is, of all that happens the newest alone. */
import { basePath } from "../common/dom.js";

const EVERY = 120; // milliseconds between two places: the server passes on no more of them
const AGAIN = 1000; // milliseconds until the next try where the server did not answer

/**
 * Ask the server to lead, or to stop.
 * @param {"lead" | "stop"} what
 * @param {string} [body]
 */
const post = (what, body) =>
  fetch(`${basePath()}class/${what}`, { method: "POST", body: body || "{}" }).catch(() => null);

/**
 * What a page shows; null while that is no run, or one of which nothing is known yet. Of a run that is followed live
 * there is no place: everybody's page does that by itself.
 * @param {LectureStage} stage
 * @param {string} lecture
 * @returns {LecturePlace | null}
 */
function placeOf({ run, views, player }, lecture) {
  if (!run.id || !run.spec) return null;
  const { live, climb, position } = player.state;
  const [at, moves] = live ? [0, 0] : [climb, Math.max(0, Math.round(position))];
  return { lecture, run: run.id, view: views.shown(), climb: at, position: moves, live };
}

/**
 * What tells where a page is.
 * @param {LectureStage | null} stage
 * @param {(sentence: string) => void} refused is called with why the server lets this page lead no longer
 */
function makeLeader(stage, refused) {
  let lecture = ""; // the id of the lecture that this page leads
  let sent = "";
  let busy = false;

  async function tell() {
    const place = lecture && stage && !busy ? placeOf(stage, lecture) : null;
    const body = JSON.stringify(place);
    if (!place || body === sent) return;
    busy = true;
    const answer = await post("lead", body);
    if (answer?.ok) sent = body;
    else if (answer) refused((await answer.json().catch(() => ({}))).sentence || "");
    window.setTimeout(next, answer ? EVERY : AGAIN);
  }

  function next() {
    busy = false;
    tell();
  }

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

export { makeLeader, placeOf, post };
