/* A part of the dialog of instances that makes cities: their picture, updated after each change, and a sentence. */
import { setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";
import { fetchCard } from "./data.js";
import { instances } from "./dialog.js";
import { thumbnail } from "./thumbnail.js";

const PAUSE = 120; // milliseconds without a change until the server is asked

/**
 * @template {Record<string, string | number>} Request
 * @param {string} id of the part, with which the ids of its elements begin
 * @param {(request: Request, place: HTMLElement) => string | undefined} describe returns the sentence about valid
 * cities
 * @param {(isWrong: boolean) => void} [mark] marks a field
 * @returns {(request: Request, fault: string) => void} shows the cities for the fields' values, or what is wrong with
 * the values
 */
export function makePreview(id, describe, mark) {
  /** @type {Request} */
  let request;
  let timer = 0;

  /** @param {string} fault empty if the cities can be used */
  function showSentence(fault) {
    setProps(`${id}-note`, { children: fault || describe(request, byId(id)) });
    byId(`${id}-note`).classList.toggle("refusal", Boolean(fault));
    byId(`${id}-use`).disabled = Boolean(fault);
    mark?.(Boolean(fault));
  }

  async function draw() {
    const reference = request;
    const card = await fetchCard(reference);
    if (reference !== request) return;
    showSentence("sentence" in card ? card.sentence : "");
    /** @type {HTMLCanvasElement | null} */
    const canvas = document.querySelector(`#${id} canvas`);
    if (canvas && !("sentence" in card)) thumbnail.show(canvas, card);
  }

  when(
    () => byId(`${id}-use`),
    (button) => button.addEventListener("click", () => instances.choose(JSON.stringify(request))),
  );
  return (next, fault) => {
    request = next;
    window.clearTimeout(timer);
    showSentence(fault);
    if (!fault) timer = window.setTimeout(draw, PAUSE);
  };
}
