/*
 * Overlay with the reason why a page is waiting: a sentence and a moving bar. If nothing can be started meanwhile,
 * Start shows the reason and does nothing.
 */
import { byId, closest, setText } from "./dom.js";
import { on } from "./events.js";
import { text } from "./texts.js";

const BLOCKS = ["offline", "file", "loading"];
/** Reasons, the most important first. */
const REASONS = /** @type {const} */ (["offline", "file", "loading", "compiling", "queued"]);
/** @typedef {typeof REASONS[number]} Why */

/** @type {Partial<Record<Why, string>>} */
const sentences = {};

const reason = () => REASONS.find((why) => sentences[why]);

function show() {
  const why = reason();
  const place = byId("waiting");
  if (!place) return;
  if (why) {
    place.dataset.why = why;
    setText("waiting-sentence", sentences[why] || "");
  } else delete place.dataset.why;
  const blocked = Boolean(why && BLOCKS.includes(why));
  for (const button of document.querySelectorAll("button.start")) {
    if (blocked) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
    button.setAttribute("aria-describedby", blocked ? "waiting-sentence" : "");
  }
}

/**
 * @param {Why} why
 * @param {string} sentence empty once the wait is over
 */
export function wait(why, sentence) {
  if ((sentences[why] || "") === sentence) return;
  sentences[why] = sentence;
  show();
}

on("connection", (now) => wait("offline", now ? "" : text("waiting.offline")));
document.addEventListener(
  "click",
  (event) => {
    if (closest(event, "button.start")?.getAttribute("aria-disabled") !== "true") return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);
