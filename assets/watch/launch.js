/* Start: opens the run as soon as the server has it; the rest of the page follows after the run's first picture. */
import { readJson } from "../common/response.js";
import { basePath, byId } from "../common/dom.js";
import { stats } from "../common/frame_stats.js";
import { openRun } from "./open.js";
import { stores } from "./stores.js";
import { text } from "./texts.js";

const LATEST = 500; // milliseconds that the rest of the page waits for a first picture

let asking = false; // whether a request to start a run is pending

/**
 * The server's response to a submitted form.
 * @typedef {{ run?: string, search?: string, note?: string, wrong?: string | null }} Launched
 */

/**
 * Start the run of a form.
 * @param {Record<string, unknown>} form
 * @returns {Promise<Launched>}
 */
async function launch(form) {
  asking = true;
  try {
    const answer = await fetch(`${basePath()}start`, { method: "POST", body: JSON.stringify(form) }).catch(() => null);
    if (!answer) return { note: text("launch.silent") };
    const { sentence, ...result } = await readJson(answer).catch(() => ({ sentence: text("launch.unreadable") }));
    return sentence ? { note: sentence } : result;
  } finally {
    asking = false;
  }
}

/** Resolves once a picture of the run has been drawn, or after a time limit. */
async function waitForPicture() {
  const latest = performance.now() + LATEST;
  while (!stats.frames && performance.now() < latest) await new Promise(window.requestAnimationFrame);
}

/**
 * Tell Dash the result of Start: the run's id and address, or why it was refused and because of which element.
 * @param {unknown} _pressed
 * @param {string} instance
 * @param {string} algorithm
 * @param {{name: string}[]} ids of the parameters
 * @param {unknown[]} values
 * @param {unknown} seed
 * @param {unknown} seconds
 * @param {string} device
 * @param {unknown} threads
 */
export async function start(_pressed, instance, algorithm, ids, values, seed, seconds, device, threads) {
  const params = Object.fromEntries(ids.map(({ name }, k) => [name, values[k] ?? null]));
  const button = byId("start");
  button.disabled = true; // without Dash, whose changes would take time that the first picture needs
  const { run, search, note, wrong } = await launch({
    instance,
    algorithm,
    params,
    seed: seed ?? null,
    seconds: seconds ?? null,
    device,
    threads: threads ?? null,
  });
  if (run) {
    stores.holdBack();
    openRun(run);
    await waitForPicture();
    stores.release();
  }
  button.disabled = false;
  const { no_update: same } = window.dash_clientside;
  const note_text = note && flashRepeated(note) ? "" : note;
  return [run ? { run } : same, search ?? same, note_text ?? "", wrong ?? null];
}

/**
 * Return whether this note is already shown above Start; it then flashes, so that the press is visibly noticed.
 * @param {string} sentence
 */
function flashRepeated(sentence) {
  const note = byId("needs-note");
  if (note?.textContent !== sentence) return false;
  delete note.dataset.heard;
  note.scrollIntoView({ block: "nearest" }); // this also updates the styles, so that the note flashes at every press
  note.dataset.heard = "true";
  return true;
}

/** Return whether Start was pressed and the server has not answered yet. */
export const isAsking = () => asking;
