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
 * Show a sentence. If a dialog is open, show it there, since the rest of the page cannot be reached.
 * @param {string} sentence
 */
export function show(sentence) {
  const host = [...document.querySelectorAll("dialog:modal")].pop() || document.body;
  if (place.parentNode === host && words.textContent === sentence) return; // else screen readers would repeat it
  words.textContent = sentence;
  host.append(place);
}

close.addEventListener("click", hide);

/**
 * Return the sentence of a refusal: JSON from the server's routes, plain text from its guard.
 * @param {Response} response
 * @returns {Promise<string>}
 */
export async function readSentence(response) {
  const whole = response.clone().text();
  response.text = () => whole; // Dash reads the body of a 400 twice, which the browser treats as an error
  try {
    const reply = await whole;
    const plain = (response.headers.get("content-type") || "").startsWith("text/plain");
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
 * @param {Response} response
 * @param {string} name of the request
 */
export async function note(response, name) {
  if (response.ok && name === failed) hide();
  if (response.ok) return;
  const sentence = await readSentence(response);
  failed = name;
  show(sentence);
}

window.fetch = async (resource, options) => {
  const response = await fetching(resource, options);
  if (CALLBACK.test(new URL(response.url || String(resource), window.location.href).pathname))
    note(response, callbackName(options));
  return response;
};
