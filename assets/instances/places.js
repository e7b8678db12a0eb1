/* Real places in the dialog of instances: their map, updated when region or number change, and a sentence. */
import { readProp, setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";
import { on } from "../common/events.js";
import { fetchCard } from "./data.js";
import { instances } from "./dialog.js";
import { text } from "./texts.js";
import { thumbnail } from "./thumbnail.js";

const PAUSE = 120; // milliseconds without a change until the server is asked

/** @type {{ places: string, n: number }} */
let request; // values of the fields since the dialog was first opened
let timer = 0;

/** @param {string} sentence error; empty if the places can be used */
function showSentence(sentence) {
  setProps("places-note", { children: sentence || byId("places").dataset.what });
  byId("places-note").classList.toggle("refusal", Boolean(sentence));
  byId("places-n").setAttribute("aria-invalid", String(Boolean(sentence)));
  byId("places-use").disabled = Boolean(sentence);
}

async function draw() {
  const reference = request;
  const card = await fetchCard(reference);
  if (reference !== request) return;
  showSentence("sentence" in card ? card.sentence : "");
  /** @type {HTMLCanvasElement | null} */
  const canvas = document.querySelector("#places canvas");
  if (canvas && !("sentence" in card)) thumbnail.show(canvas, card);
}

function renew() {
  window.clearTimeout(timer);
  const good = Number.isInteger(request.n) && request.n >= 1;
  showSentence(good ? "" : text("places.range.n", { min: 1 }));
  if (good) timer = window.setTimeout(draw, PAUSE);
}

/**
 * Show the largest cities of a region after a change.
 * @param {string} region
 * @param {number} n
 */
function show(region, n) {
  request = { places: region, n };
  renew();
}

when(
  () => byId("places-use"),
  (button) => button.addEventListener("click", () => instances.choose(JSON.stringify(request))),
);
on("instances", () => show(readProp("places-region", "value"), readProp("places-n", "value")));
export const places = { show };
