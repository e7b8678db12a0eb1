/*
 * Random cities in the dialog of instances: their picture, updated when class, number or seed change, and a sentence.
 */
import { readProp, setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";
import { on } from "../common/events.js";
import { fetchCard } from "./data.js";
import { instances } from "./dialog.js";
import { text } from "./texts.js";
import { thumbnail } from "./thumbnail.js";

const PAUSE = 120; // milliseconds without a change until the server is asked

/** @param {string} name */
const field = (name) => byId(`generator-${name}`);

/** @type {{ generate: string, n: number, seed: number }} */
let request; // values of the fields since the dialog was first opened
let timer = 0;

/** Return the error of the first invalid value, or empty; marks invalid fields. */
function findFault() {
  let sentence = "";
  for (const name of /** @type {const} */ (["n", "seed"])) {
    const { min, max } = field(name);
    const good = Number.isInteger(request[name]) && request[name] >= Number(min) && request[name] <= Number(max);
    field(name).setAttribute("aria-invalid", String(!good));
    if (!good) sentence ||= text(`generator.range.${name}`, { min: Number(min), max: Number(max) });
  }
  return sentence;
}

/** @param {string} sentence */
function showSentence(sentence) {
  const generator = byId("generator");
  const note = byId("generator-note");
  setProps("generator-note", { children: sentence || generator.dataset[request.generate] });
  note.classList.toggle("refusal", Boolean(sentence));
  byId("generator-use").disabled = Boolean(sentence);
}

async function draw() {
  const reference = request;
  const card = await fetchCard(reference);
  if (reference !== request) return;
  showSentence("sentence" in card ? card.sentence : "");
  /** @type {HTMLCanvasElement | null} */
  const canvas = document.querySelector("#generator canvas");
  if (canvas && !("sentence" in card)) thumbnail.show(canvas, card);
}

/**
 * Show the cities of a class, number and seed after a change.
 * @param {string} generate the class
 * @param {number} n
 * @param {number} seed
 */
function show(generate, n, seed) {
  request = { generate, n, seed };
  renew();
}

function renew() {
  window.clearTimeout(timer);
  const sentence = findFault();
  showSentence(sentence);
  if (!sentence) timer = window.setTimeout(draw, PAUSE);
}

when(
  () => byId("generator-use"),
  (button) => button.addEventListener("click", () => instances.choose(JSON.stringify(request))),
);
on("instances", () => {
  const [generate, n, seed] = ["class", "n", "seed"].map((name) => readProp(`generator-${name}`, "value"));
  show(generate, n, seed);
});
export const generator = { show };
