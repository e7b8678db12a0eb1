/* The panel of a lesson: its current step, its buttons, and its marks on the page. */
import { setProps } from "../common/callbacks.js";
import { byId } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { formatHash, storeProgress, loadProgress } from "../common/lesson/place.js";
import { parseNodes } from "../common/lesson/html.js";
import { marks } from "./marks.js";
import { runStarter } from "./run_starter.js";
import { answers, askClass, findFeedback, makeOutcome, recallAnswer, runner, makeText } from "./step.js";
import { text } from "./texts.js";

/** @type {Lesson | null} */
let lesson = null;
let at = 0;
let folded = false;
/** @type {"" | "start" | "end"} */
let awaited = ""; // id of the run started by this step

const host = () => /** @type {HTMLElement} */ (byId("lesson"));
const currentPage = () => /** @type {"watch" | "race"} */ (byId("race-panels") ? "race" : "watch");
const progress = () => loadProgress(lesson?.id || "") || { step: 0, answers: {} };

/** Return whether the reader has answered the step's question. */
const isCommitted = () => lesson?.steps[at].kind !== "question" || progress().answers[at] !== undefined;

/**
 * Make a button with a label and an action.
 * @param {Record<string, string | boolean>} attributes
 * @param {string} words
 * @param {() => void} work
 * @param {string} [picture]
 */
function makeActionButton(attributes, words, work, picture) {
  const node = button(attributes, words, picture);
  node.addEventListener("click", work);
  return node;
}

/** @param {Lesson} shown */
function head(shown) {
  const fold = makeActionButton(
    { class: "button quiet", "aria-expanded": String(!folded), "aria-controls": "lesson-body" },
    text(folded ? "unfold" : "fold"),
    () => {
      folded = !folded;
      draw();
      /** @type {HTMLElement | null} */ (host().querySelector("[aria-expanded]"))?.focus();
    },
  );
  const close = makeActionButton(
    { class: "button quiet", "aria-label": text("close"), title: text("close") },
    "",
    leave,
    "close",
  );
  const place = element("span.lesson-place", text("place", { step: at + 1, steps: shown.steps.length }));
  return element("div.lesson-head", element("h2", { id: "lesson-title" }, shown.title), place, fold, close);
}

/** @param {LessonStep} step */
function body(step) {
  const stored = progress();
  const kind = element("span.lesson-kind", { "data-kind": step.kind }, step.label);
  const title = element("h3", { id: "lesson-step", tabindex: "-1" }, kind, step.title);
  const answerNote = element("div.lesson-feedback", { role: "status" });
  /** @type {(Node | null)[]} */
  const parts = [title, recallAnswer(lesson?.steps || [], at, stored.answers), makeText(step.html)];
  if (step.answers.length) parts.push(answers(step, stored.answers[at], (answer) => choose(answer)));
  if (lesson && step.answers.length && byId("lead")) parts.push(askClass(lesson, at));
  if (step.run) parts.push(runner(step.run, () => begin(step)));
  if (step.outcome) parts.push(makeOutcome(step.outcome));
  parts.push(answerNote);
  return element("div.lesson-body", { id: "lesson-body" }, ...parts);
}

/** @param {Lesson} shown */
function foot(shown) {
  const last = at === shown.steps.length - 1;
  const back = makeActionButton({ class: "button", disabled: at === 0, "aria-keyshortcuts": "B" }, text("back"), () =>
    goToStep(at - 1),
  );
  const on = makeActionButton({ class: "button primary lesson-on", "aria-keyshortcuts": "N" }, text("on"), () =>
    goToStep(at + 1),
  );
  return element("div.lesson-foot", back, last ? end(shown) : on);
}

/**
 * Make the target of the last step's link.
 * @param {Lesson} shown
 */
function end({ all: list, next }) {
  const all = element("a.button", { href: list }, text("all"));
  const after = next && element("a.button.primary", { href: next.address, title: next.title }, text("next"));
  return element("div.lesson-end", all, after);
}

/** Draw the step. */
function draw() {
  if (!lesson) return;
  const step = lesson.steps[at];
  awaited = "";
  host().replaceChildren(head(lesson), ...(folded ? [] : [body(step), foot(lesson)]));
  host().setAttribute("aria-labelledby", "lesson-title");
  host().hidden = false;
  showFeedback();
  marks.show(currentPage(), folded ? [] : step.marked);
}

/** Show the feedback on the answer, and disable buttons that must wait for it. */
function showFeedback() {
  const answerNote = host().querySelector(".lesson-feedback");
  if (!lesson || !(answerNote instanceof HTMLElement)) return;
  const { kind, html, sentence } = findFeedback(lesson.steps[at], progress().answers[at]);
  answerNote.dataset.kind = kind;
  answerNote.replaceChildren(...(html ? parseNodes(html) : [sentence]));
  host().querySelector(".lesson-on")?.setAttribute("aria-disabled", String(!isCommitted()));
  wait();
}

/** Return the element of the feedback below the step. */
const feedbackPlace = () => /** @type {HTMLElement | null} */ (host().querySelector(".lesson-feedback"));

/** Announce the start and the end of this step's run. */
function announceRun() {
  if (awaited && !runStarter.hasEnded()) awaited = "end";
  else if (awaited === "end") {
    awaited = "";
    const line = feedbackPlace();
    if (line) line.textContent = text("run.ended");
  }
}

/** Disable the run's button while another run is active. */
function wait() {
  announceRun();
  const run = host().querySelector("button.lesson-run");
  if (!(run instanceof HTMLButtonElement)) return;
  run.disabled = runStarter.active();
  run.title = run.disabled ? text("run.wait") : "";
}

/** @param {number} answer */
function choose(answer) {
  const stored = progress();
  const done = stored.done || (lesson?.steps[at].kind === "check" && at === lesson.steps.length - 1);
  storeProgress(lesson?.id || "", { ...stored, done: Boolean(done), answers: { ...stored.answers, [at]: answer } });
  showFeedback();
}

/** @param {LessonStep} step */
async function begin({ run }) {
  if (!run || run.page === "study" || runStarter.active()) return;
  const line = /** @type {HTMLElement} */ (feedbackPlace());
  awaited = "";
  line.textContent = text("run.filling");
  const pressed = await runStarter.begin(run.query, () => {
    awaited = runStarter.hasEnded() ? "start" : "end"; // the page may still show an earlier run
  });
  if (!pressed) line.textContent = text("run.failed");
  else if (awaited) line.textContent = text("run.started");
  if (pressed) byId("stage")?.scrollIntoView({ block: "nearest" });
}

let passed = -1; // the step whose run was requested once; it may be skipped now

/**
 * Return whether the run of a step is shown, or was requested once: pressing again continues without it.
 * @param {LessonStep} step
 */
function isRunShown({ run }) {
  if (!run || run.page === "study" || passed === at || document.body.dataset.runState !== "none") return true;
  passed = at;
  const line = feedbackPlace();
  if (line) line.textContent = text("first-run");
  return false;
}

/**
 * Go to a step if it exists and earlier questions are answered.
 * @param {number} to
 */
function goToStep(to) {
  if (!lesson || to < 0 || to >= lesson.steps.length) return;
  if (to > at && !isCommitted()) {
    const answerNote = host().querySelector(".lesson-feedback");
    if (answerNote) answerNote.textContent = text("answer-first");
    return;
  }
  if (to > at && !isRunShown(lesson.steps[at])) return;
  const hash = formatHash({ lesson: lesson.id, step: to });
  storeProgress(lesson.id, { ...progress(), step: to });
  const { page, path } = lesson.steps[to];
  if (page !== currentPage()) {
    window.location.assign(path + hash);
    return;
  }
  setProps("url", { hash });
  at = to;
  folded = false;
  draw();
  byId("lesson-step")?.focus({ preventScroll: true });
  host().scrollIntoView({ block: "nearest" });
}

/** Close the lesson, and restore the page. */
function leave() {
  lesson = null;
  marks.show(currentPage(), []);
  host().hidden = true;
  host().replaceChildren();
  setProps("url", { hash: "" });
  byId("main")?.focus();
}

/**
 * Show a lesson at a step.
 * @param {Lesson} shown
 * @param {number} step
 */
function open(shown, step) {
  lesson = shown;
  at = Math.min(step, shown.steps.length - 1);
  const { page, path } = shown.steps[at];
  if (page !== currentPage()) {
    window.location.replace(path + formatHash({ lesson: shown.id, step: at }));
    return;
  }
  storeProgress(shown.id, { ...progress(), step: at });
  draw();
}

/**
 * Explain why there is no lesson.
 * @param {string} sentence
 */
function refuse(sentence) {
  lesson = null;
  host().replaceChildren(element("p.lesson-refused", { role: "alert" }, sentence));
  host().hidden = false;
}

const shown = () => lesson?.id || "";
new MutationObserver(wait).observe(document.body, { attributeFilter: ["data-run-state"] });

export const panel = { open, refuse, shown, on: () => goToStep(at + 1), back: () => goToStep(at - 1) };
