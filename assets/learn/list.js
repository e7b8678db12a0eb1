/* The list of lessons: the reader's progress in each, and a link to continue. */
import { when } from "../common/dom.js";
import { formatHash, loadProgress } from "../common/lesson/place.js";
import { text } from "./texts.js";

/**
 * Show the reader's progress on a card, and make its link lead to the reader's step.
 * @param {HTMLElement} card
 */
function show(card) {
  const { lesson = "", steps = "0" } = card.dataset;
  const progress = loadProgress(lesson);
  const note = card.querySelector(".lesson-progress");
  /** @type {HTMLAnchorElement | null} */
  const link = card.querySelector(".lesson-start");
  if (!progress || !note || !link) return;
  const { step, done } = progress;
  card.dataset.done = String(Boolean(done));
  if (done) note.textContent = text("card.done");
  else if (step > 0 && step < Number(steps)) {
    note.textContent = text("card.step", { step: step + 1, steps: Number(steps) });
    link.hash = formatHash({ lesson, step });
  }
}

function showAll() {
  /** @type {NodeListOf<HTMLElement>} */
  const cards = document.querySelectorAll(".lesson-card[data-lesson]");
  for (const card of cards) show(card);
}

when(() => document.querySelector(".lesson-cards"), showAll);
window.addEventListener("pageshow", (event) => event.persisted && showAll());
