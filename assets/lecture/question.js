/*
 * The card of a question to the class. Visitors choose an answer. The host sees how often each answer was chosen,
 * closes the question, and shows the right answer.
 */
import { readJson } from "../common/response.js";
import { answerColour, answerLetter } from "../common/answer_letters.js";
import { byId, replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { post } from "./lead.js";
import { text } from "./texts.js";

/** @typedef {"open" | "closed" | "revealed" | "over"} Phase */

/** @typedef {"close" | "reopen" | "reveal" | "remove" | "done"} Act */
/**
 * The host's buttons in each phase, with the phase to which each button leads. @type {Record<string, [Act, Phase][]>}
 */
const ACTS = {
  open: [
    ["close", "closed"],
    ["reveal", "revealed"],
    ["remove", "over"],
  ],
  closed: [
    ["reopen", "open"],
    ["reveal", "revealed"],
    ["remove", "over"],
  ],
  revealed: [["done", "over"]],
};

/** Maximum length of an answer at which a phone shows the answers in two columns. */
const SHORT = 12;

/** Make the card, inside the page's element for a lecture. */
export function makeCard() {
  /** @type {AskedQuestion | null} */
  let question = null;
  let isHost = false;
  let folded = false;
  let isOnMap = false; // whether the answers are on this page's map
  let refusal = ""; // the server's reason for refusing the last request

  const fold = button({ class: "button quiet", "aria-controls": "question-body" }, " ");
  const head = element("div.question-head", element("h2", { id: "question-title" }, text("question")), fold);
  const words = element("p.question-text");
  const list = element("ol.question-answers");
  const total = element("p.question-total");
  const message = element("p.question-sentence", { role: "status" });
  const acts = element("div.question-acts");
  const body = element("div.question-body", { id: "question-body" }, words, list, total, message, acts);
  const card = element("section.question", { "aria-labelledby": "question-title", hidden: true }, head, body);
  const news = element("p.visually-hidden", { role: "status" }); // never hidden, so that a question is announced
  byId("lecture").append(card, news);

  fold.addEventListener("click", () => {
    folded = !folded;
    draw();
  });

  /**
   * Send a request, and show why if the server refuses it.
   * @param {string} what
   * @param {object} values
   */
  async function send(what, values) {
    const answer = await post(what, JSON.stringify(values));
    refusal = "";
    if (!answer) refusal = text("question.silent");
    else if (!answer.ok) refusal = (await readJson(answer).catch(() => ({}))).sentence || text("question.silent");
    draw();
    return !refusal;
  }

  /** @param {number} answer */
  async function choose(answer) {
    const asked = question;
    if (asked?.phase !== "open") return;
    if ((await send("answer", { id: asked.id, answer })) && question?.id === asked.id) question.own = answer;
    draw();
  }

  /** @param {AskedQuestion} asked */
  function makeAnswers({ answers, phase, counts, marks }) {
    list.dataset.short = String(answers.every((answer) => answer.length <= SHORT));
    return answers.map((answer, k) => {
      const parts = [
        element("b.question-letter", answerLetter(k)),
        element("span.question-words", answer),
        element("span.question-note"),
        counts && element("span.question-count"),
        counts && element("span.question-bar", { "aria-hidden": "true" }),
      ];
      const style = marks ? `--hue: var(--${answerColour(k)})` : null;
      if (isHost || phase === "revealed") return element("li.question-answer", { style }, ...parts);
      const choice = element("button.question-answer", { type: "button", style }, ...parts);
      choice.addEventListener("click", () => choose(k));
      return element("li", choice);
    });
  }

  /** @param {AskedQuestion} asked */
  function makeActs({ id, phase }) {
    /** @type {[Act, Phase][]} */
    const all = isHost ? ACTS[phase] : [];
    return all.map(([act, next]) => {
      const node = button(
        { class: act === "reveal" || act === "done" ? "button primary" : "button" },
        text(`question.act.${act}`),
      );
      node.addEventListener("click", () => send("question", { id, phase: next }));
      return node;
    });
  }

  /** Mark the visitor's own answer and the right one, and show how often each was chosen. */
  function mark(/** @type {AskedQuestion} */ { own, right, counts, phase }) {
    const all = counts?.reduce((sum, count) => sum + count, 0) || 0;
    for (const [k, node] of /** @type {NodeListOf<HTMLElement>} */ (
      list.querySelectorAll(".question-answer")
    ).entries()) {
      const isRight = phase === "revealed" && k === right;
      const note = [isRight && text("question.right"), k === own && text("question.own")].filter(Boolean).join(" · ");
      node.dataset.right = String(isRight);
      node.dataset.own = String(k === own);
      replaceText(node.querySelector(".question-note"), note);
      if (node instanceof HTMLButtonElement) {
        node.setAttribute("aria-pressed", String(k === own));
        node.setAttribute("aria-disabled", String(phase !== "open"));
      }
      if (!counts) continue;
      replaceText(node.querySelector(".question-count"), String(counts[k]));
      node.style.setProperty("--share", String(counts[k] / Math.max(1, all)));
    }
    replaceText(total, counts ? text("question.count", { count: all }) : "");
  }

  /** Describe the state of the question in a sentence. */
  function sentence(/** @type {AskedQuestion} */ { own, right, phase }) {
    if (refusal) return refusal;
    if (phase === "revealed") return text("question.says.revealed", { letter: answerLetter(right ?? 0) });
    if (phase === "closed") return text("question.says.closed");
    if (isHost) return "";
    if (own === null) return text(isOnMap ? "question.says.open.map" : "question.says.open");
    return text("question.says.chosen", { letter: answerLetter(own) });
  }

  let drawn = ""; // the part of the question for which elements have been made

  function draw() {
    card.hidden = !question && !refusal;
    document.documentElement.toggleAttribute("data-question", Boolean(question) && !folded);
    fold.setAttribute("aria-expanded", String(!folded));
    replaceText(fold.querySelector("span"), text(folded ? "question.unfold" : "question.fold"));
    body.hidden = folded;
    const key = question ? `${question.id} ${question.phase} ${isHost}` : "";
    if (key !== drawn) {
      drawn = key;
      replaceText(words, question?.text || "");
      list.replaceChildren(...(question ? makeAnswers(question) : []));
      acts.replaceChildren(...(question ? makeActs(question) : []));
    }
    if (question) mark(question);
    replaceText(message, question ? sentence(question) : refusal);
  }

  return {
    choose,
    /** Say whether an answer can be chosen on the map too. */
    showOnMap(/** @type {boolean} */ is) {
      if (is === isOnMap) return;
      isOnMap = is;
      draw();
    },
    /** Ask the class. */
    ask: (/** @type {object} */ asked) => send("ask", asked),
    /**
     * @param {AskedQuestion | null} next
     * @param {boolean} host
     */
    show(next, host) {
      if (next?.id !== question?.id) {
        [folded, refusal] = [false, ""];
        replaceText(news, next && !host ? `${text("question.new")} ${next.text}` : "");
      }
      if (!next || next.phase !== question?.phase) refusal = "";
      [question, isHost] = [next, host];
      draw();
    },
  };
}
