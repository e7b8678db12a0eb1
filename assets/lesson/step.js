/* Elements of a lesson's step: its text, its answers, and its run. */
import { button, element } from "../common/elements.js";
import { plainStep, makeHtmlElement } from "../common/lesson/html.js";
import { text } from "./texts.js";

/** @param {string} html */
export const makeText = (html) => makeHtmlElement("div", html, "lesson-text");

/**
 * @param {LessonStep} step
 * @param {number | undefined} chosen
 * @param {(answer: number) => void} choose
 */
export function answers(step, chosen, choose) {
  const rows = step.answers.map((answer, k) => {
    const radio = element("input.form-check-input", { type: "radio", name: "lesson-answer", value: k });
    radio.checked = k === chosen;
    radio.addEventListener("change", () => choose(k));
    return element("label.lesson-answer", radio, makeText(answer.html));
  });
  const legend = element("legend.visually-hidden", text("answers"));
  return element("fieldset.lesson-answers", legend, ...rows);
}

/**
 * Make the button with which the host of a shared server asks the class a step's question.
 * @param {Lesson} lesson
 * @param {number} at
 */
export function askClass({ id, steps }, at) {
  const node = button({ class: "button" }, text("class"));
  const { answers } = steps[at];
  const right = answers.findIndex((answer) => answer.right);
  const detail = { ...plainStep(steps[at]), right, marks: null, source: { lesson: id, step: at } };
  node.addEventListener("click", () => document.dispatchEvent(new CustomEvent("ask-class", { detail })));
  return node;
}

/**
 * Return the feedback on a chosen answer; a question does not reveal which one is right.
 * @param {LessonStep} step
 * @param {number | undefined} chosen
 * @returns {{ kind: string, html: string, sentence: string }}
 */
export function findFeedback(step, chosen) {
  const answer = chosen === undefined ? null : step.answers[chosen];
  if (!answer) return { kind: "", html: "", sentence: "" };
  if (step.kind === "question")
    return { kind: "noted", html: answer.feedback, sentence: answer.feedback ? "" : text("noted") };
  return { kind: answer.right ? "right" : "wrong", html: answer.feedback, sentence: "" };
}

/**
 * Return the reader's answer and the right one, for the step that reveals them; null elsewhere.
 * @param {LessonStep[]} steps
 * @param {number} at
 * @param {Record<string, number>} replies
 */
export function recallAnswer(steps, at, replies) {
  const question = steps.findLastIndex(({ kind }, k) => k < at && kind === "question");
  const first = steps.findIndex(({ kind }, k) => k > question && kind === "look");
  const answer = steps[question]?.answers[replies[question]];
  if (first !== at || !answer) return null;
  const note = element("div.lesson-recalled", { "data-right": String(answer.right) });
  const verdict = element("b", text(answer.right ? "recalled.right" : "recalled.wrong"));
  const right = answer.right
    ? []
    : steps[question].answers.filter((answer) => answer.right).map(({ html }) => makeText(html));
  note.append(element("span", text("recalled")), makeText(answer.html), verdict, ...right);
  return note;
}

/**
 * Make the text about the outcome of a run or a change, for readers who have seen the outcome or ask for it.
 * @param {string} html
 */
export function makeOutcome(html) {
  const summary = element("summary", text("outcome"));
  return element("details.lesson-outcome", summary, makeText(html));
}

/**
 * Make the button that starts the step's run, or the link to its study.
 * @param {NonNullable<LessonStep["run"]>} run
 * @param {() => void} begin
 */
export function runner(run, begin) {
  if (run.page === "study") {
    const link = { class: "button", href: run.path + run.query, target: "_blank", rel: "noopener" };
    return element("a", link, text("study"));
  }
  const node = button({ class: "button primary lesson-run" }, text("run"), "play");
  node.addEventListener("click", begin);
  return node;
}
