/* The worksheet of a lesson, `?lesson=two-opt-stuck`, for printing: its questions with space for answers. */
import { basePath, byId, when } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { formatHash } from "../common/lesson/place.js";
import { written } from "../common/lesson/written.js";
import { text } from "./texts.js";

const LINES = 3; // lines to write on

/**
 * Make the lines to write on.
 * @param {string} prompt
 */
function lines(prompt) {
  const label = element("span", {}, prompt);
  return element("div", { class: "sheet-lines" }, label, ...Array.from({ length: LINES }, () => element("hr")));
}

/**
 * @param {LessonStep} step
 * @param {number} k
 */
function section(step, k) {
  const kind = element("span", { class: "sheet-kind" }, `${k + 1} · ${step.label}`);
  /** @type {Node[]} */
  const parts = [element("h2", {}, kind, step.title)];
  const details = step.kind === "look" || step.kind === "change"; // readers write down what they see
  if (step.kind !== "look") parts.push(written("div", step.html));
  if (step.answers.length)
    parts.push(element("ul", { class: "sheet-answers" }, ...step.answers.map(({ html }) => written("li", html))));
  else if (details) parts.push(lines(text(step.kind === "look" ? "sheet.seen" : "sheet.outcome")));
  else if (step.run) parts.push(element("p", { class: "sheet-run" }, text("sheet.run", { step: k + 1 })));
  return element("section", { class: "sheet-step" }, ...parts);
}

/** @param {Lesson} lesson */
function sheet(lesson) {
  const print = button({ class: "button" }, text("sheet.print"));
  print.addEventListener("click", () => window.print());
  const [first] = lesson.steps;
  const begins = first.path + formatHash({ lesson: lesson.id, step: 0 });
  const open = element("a", { class: "button primary", href: begins }, text("sheet.open"));
  const back = element("a", { class: "button", href: window.location.pathname }, text("sheet.back"));
  const who = [text("sheet.name"), text("sheet.date")].map((label) => element("span", {}, label));
  return [
    element("div", { class: "sheet-tools" }, back, print, open),
    element("div", { class: "sheet-who" }, ...who),
    element("h1", {}, lesson.title),
    element("p", { class: "sheet-goal" }, lesson.afterwards),
    ...lesson.steps.map(section),
  ];
}

/** @param {string} id */
async function show(id) {
  const place = byId("lesson-sheet");
  const answer = await fetch(`${basePath()}learn/lessons/${encodeURIComponent(id)}`).catch(() => null);
  const lesson = answer?.ok ? await answer.json() : null;
  const refusal = answer ? text("address.unknown") : text("sheet.silent");
  place.replaceChildren(...(lesson ? sheet(lesson) : [element("p", { role: "alert" }, refusal)]));
  if (lesson) document.title = lesson.title;
  byId("lessons").hidden = true;
  place.hidden = false;
}

const named = new URLSearchParams(window.location.search).get("lesson");
if (named)
  when(
    () => byId("lesson-sheet"),
    () => show(named),
  );
