/*
 * The worksheet of a lesson, `?lesson=two-opt-stuck`, for printing: its questions with space for answers; with
 * `&solutions`, also what readers should see and find.
 */
import { basePath, byId, when } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { formatHash } from "../common/lesson/place.js";
import { makeHtmlElement } from "../common/lesson/html.js";
import { sheetMap } from "./sheet_map.js";
import { text } from "./texts.js";

const LINES = 3; // number of lines to write on

/**
 * Make the lines for an answer written by hand.
 * @param {string} prompt
 */
function lines(prompt) {
  const label = element("span", prompt);
  return element("div.sheet-lines", label, ...Array.from({ length: LINES }, () => element("hr")));
}

/**
 * @param {LessonStep["answers"]} answers
 * @param {boolean} solved
 */
function choices(answers, solved) {
  const items = answers.map(({ html, right, feedback }) => {
    const item = makeHtmlElement("li", html);
    if (!solved) return item;
    item.dataset.right = String(right);
    if (feedback) item.append(makeHtmlElement("div", feedback, "sheet-feedback"));
    return item;
  });
  return element("ul.sheet-answers", ...items);
}

/**
 * @param {LessonStep} step
 * @param {number} k
 * @param {boolean} solved
 */
function section(step, k, solved) {
  const kind = element("span.sheet-kind", `${k + 1} · ${step.label}`);
  /** @type {Node[]} */
  const parts = [element("h2", kind, step.title)];
  const details = step.kind === "look" || step.kind === "change"; // readers write down what they see
  if (step.kind !== "look" || solved) parts.push(makeHtmlElement("div", step.html));
  if (step.map) parts.push(sheetMap(step.map, solved));
  if (step.answers.length) parts.push(choices(step.answers, solved));
  else if (solved) parts.push(makeHtmlElement("div", step.outcome, "sheet-feedback"));
  else if (details) parts.push(lines(text(step.kind === "look" ? "sheet.seen" : "sheet.outcome")));
  else if (step.run) parts.push(element("p.sheet-run", text("sheet.run", { step: k + 1 })));
  return element("section.sheet-step", ...parts);
}

/**
 * @param {Lesson} lesson
 * @param {boolean} solved
 */
function sheet(lesson, solved) {
  const print = button({ class: "button" }, text("sheet.print"));
  print.addEventListener("click", () => window.print());
  const [first] = lesson.steps;
  const begins = first.path + formatHash({ lesson: lesson.id, step: 0 });
  const open = element("a.button.primary", { href: begins }, text("sheet.open"));
  const back = element("a.button", { href: window.location.pathname }, text("sheet.back"));
  const other = element(
    "a.button",
    { href: `?lesson=${lesson.id}${solved ? "" : "&solutions"}` },
    text(solved ? "sheet.questions" : "sheet.solutions"),
  );
  const who = [text("sheet.name"), text("sheet.date")].map((label) => element("span", label));
  const title = solved ? text("sheet.solutions-of", { title: lesson.title }) : lesson.title;
  return [
    element("div.sheet-tools", back, print, other, open),
    element("div.sheet-who", { hidden: solved }, ...who),
    element("h1", title),
    element("p.sheet-goal", lesson.afterwards),
    ...lesson.steps.map((step, k) => section(step, k, solved)),
  ];
}

/**
 * @param {string} id
 * @param {boolean} solved
 */
async function show(id, solved) {
  const place = byId("lesson-sheet");
  const answer = await fetch(`${basePath()}learn/lessons/${encodeURIComponent(id)}`).catch(() => null);
  const lesson = answer?.ok ? await answer.json() : null;
  const refusal = answer ? text("address.unknown") : text("sheet.silent");
  place.replaceChildren(...(lesson ? sheet(lesson, solved) : [element("p", { role: "alert" }, refusal)]));
  if (lesson) document.title = lesson.title;
  byId("lessons").hidden = true;
  place.hidden = false;
}

const asked = new URLSearchParams(window.location.search);
const named = asked.get("lesson");
if (named)
  when(
    () => byId("lesson-sheet"),
    () => show(named, asked.has("solutions")),
  );
