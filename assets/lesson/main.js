/* A lesson on Watch or Race, fetched when the address names it; its keys are N and B. */
import { basePath, byId, when } from "../common/dom.js";
import { hotkeys } from "../common/hotkeys.js";
import { parsePlace } from "../common/lesson/place.js";
import { panel } from "./panel.js";
import { text } from "./texts.js";

/** @type {Record<string, Lesson>} */
const fetched = {};
let requestCount = 0; // number of the last request; late responses to earlier ones are dropped

/**
 * Load a lesson; resolves to a sentence if there is none.
 * @param {string} id
 * @returns {Promise<Lesson | string>}
 */
async function loadLesson(id) {
  if (fetched[id]) return fetched[id];
  const answer = await fetch(`${basePath()}learn/lessons/${encodeURIComponent(id)}`).catch(() => null);
  if (!answer) return text("silent");
  if (!answer.ok) return text("unknown");
  fetched[id] = await answer.json();
  return fetched[id];
}

/** Show the lesson in the address; an address without one keeps the current lesson open. */
async function follow() {
  const place = parsePlace(window.location.hash);
  if (!place) return;
  requestCount += 1;
  const question = requestCount;
  const lesson = await loadLesson(place.lesson);
  if (question !== requestCount) return;
  if (typeof lesson === "string") panel.refuse(lesson);
  else panel.open(lesson, place.step);
}

const work = { n: () => panel.on(), b: () => panel.back() };
hotkeys.listen(
  "lesson",
  work,
  [],
  () => panel,
  () => !panel.shown(),
);
for (const name of ["hashchange", "popstate"]) window.addEventListener(name, follow);
when(
  () => byId("lesson") && window.dash_clientside?.set_props,
  () => follow(),
);
