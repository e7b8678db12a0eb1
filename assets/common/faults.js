/* Shows a server's refusals, which Dash hides if a callback caused them. */
import { button, element } from "./elements.js";
import { text } from "./texts.js";

const CALLBACK = /\/_dash-update-component$/;
const UNKNOWN = text("fault.unknown");
const MAX_LENGTH = 500; // characters

const fetching = window.fetch;
let failed = ""; // the request that caused the sentence

const words = element("span");
const close = button({ class: "fault-close", "aria-label": text("fault.close") }, "", "close");
const place = element("div.fault", { id: "fault", role: "alert" }, words, close);

function hide() {
  failed = "";
  place.remove();
}

/**
 * Show a sentence, inside an open dialog if there is one, since everything else is out of reach.
 * @param {string} sentence
 */
export function show(sentence) {
  const host = [...document.querySelectorAll("dialog:modal")].pop() || document.body;
  if (place.parentNode === host && words.textContent === sentence) return; // otherwise it would be read aloud again
  words.textContent = sentence;
  host.append(place);
}

close.addEventListener("click", hide);

/**
 * Return the sentence of a refusal: JSON from the server's routes, plain text from its guard.
 * @param {Response} answer
 * @returns {Promise<string>}
 */
export async function readSentence(answer) {
  const whole = answer.clone().text();
  answer.text = () => whole; // Dash reads the body of a 400 twice, which the browser treats as an error
  try {
    const reply = await whole;
    const plain = (answer.headers.get("content-type") || "").startsWith("text/plain");
    return ((plain ? reply : JSON.parse(reply).sentence) || UNKNOWN).slice(0, MAX_LENGTH);
  } catch {
    return UNKNOWN;
  }
}

/**
 * Return the name of the callback to which a body is posted; it comes first in the body.
 * @param {RequestInit} [options]
 */
function callbackName(options) {
  const match = /"output":"((?:[^"\\]|\\.)*)"/.exec(String(options?.body || "").slice(0, 20000));
  return match ? match[1] : "?";
}

/**
 * Show the sentence of a refusal until the same request succeeds.
 * @param {Response} answer
 * @param {string} name of the request
 */
export async function note(answer, name) {
  if (answer.ok && name === failed) hide();
  if (answer.ok) return;
  const sentence = await readSentence(answer);
  failed = name;
  show(sentence);
}

window.fetch = async (resource, options) => {
  const answer = await fetching(resource, options);
  if (CALLBACK.test(new URL(answer.url || String(resource), window.location.href).pathname))
    note(answer, callbackName(options));
  return answer;
};
