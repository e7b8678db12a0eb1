/* The list of lessons: how far this browser's reader has come in each, and a link that goes on from there. */
import { when } from "../common/dom.js";
import { hashOf, progressOf } from "../common/lesson/place.js";
import { text } from "./texts.js";

/**
 * What a card says of its lesson's progress; its link leads to the step where the reader was.
 * @param {HTMLElement} card
 */
function show(card) {
  const { lesson = "", steps = "0" } = card.dataset;
  const progress = progressOf(lesson);
  const said = card.querySelector(".lesson-progress");
  /** @type {HTMLAnchorElement | null} */
  const link = card.querySelector(".lesson-start");
  if (!progress || !said || !link) return;
  const { step, done } = progress;
  card.dataset.done = String(Boolean(done));
  if (done) said.textContent = text("card.done");
  else if (step > 0 && step < Number(steps)) {
    said.textContent = text("card.step", { step: step + 1, steps: Number(steps) });
    link.hash = hashOf({ lesson, step });
  }
}

function showAll() {
  /** @type {NodeListOf<HTMLElement>} */
  const cards = document.querySelectorAll(".lesson-card[data-lesson]");
  for (const card of cards) show(card);
}

when(() => document.querySelector(".lesson-cards"), showAll);
window.addEventListener("pageshow", (event) => event.persisted && showAll());
