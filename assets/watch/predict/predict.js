/*
 * Predict, then see: before it shows a single step forward, the page asks what the step will be. The question takes the
 * place of the explanation, the answer is given on the map, and the verdict comes before the explanation.
 */
import { byId, closest, setText } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { bringMap } from "../../common/map/bring.js";
import { sentenceOf as words, sentencesOf } from "../../common/question_words.js";
import { player } from "../player/players.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { chooser } from "../tour/chooser.js";
import { tour } from "../tour/tour.js";
import { views } from "../views.js";
import { makeAnswers } from "./answers.js";
import { answerMarks, questionMarks } from "./marks.js";
import { hasQuestions, makeQuestion } from "./questions.js";
import { score } from "./score.js";
import { judge, findMeant, objection } from "./verdicts.js";
import { describeTarget, questionWords, todo } from "./prediction_texts.js";

const { state } = player;
const CHOICES = ["predict-yes", "predict-no"];

let active = false; // whether the page asks about steps
let wanted = false; // whether to ask a question as soon as the player stops
let passing = false; // while the step of the question is made
let over = false; // whether the page says that the climb has no next step
/** @type {Question | null} */
let question = null; // the open question
/** @type {{ climb: number, position: number } | null} */
let place = null; // the player's position at the question or the verdict
/** @type {number[]} */
let picks = [];

const isOffered = () => Boolean(run.id) && hasQuestions(run.stage().algorithm) && views.isShown("tour");
const isStill = () => !state.live && !state.playing && !player.isLoading();

/** Return whether the player stands at the end of a climb. */
function isAtEnd() {
  const climb = player.shown();
  return Boolean(climb?.whole && isStill() && state.position >= climb.count);
}

/** @param {"asking" | "told" | "waiting" | "off"} phase */
function showPhase(phase) {
  views.setStageData("predict", phase);
  setText("predict-skip", text(phase === "asking" ? "predict.skip" : over ? "predict.again" : "predict.next"));
  const { right, asked } = score.current();
  setText("predict-score", asked ? text("predict.score", { right, asked }) : "");
  if (byId("predict-reset")) byId("predict-reset").disabled = !asked;
}

/**
 * @param {string} sentence
 * @param {string} at
 * @param {"right" | "wrong" | ""} verdict
 */
function showSentence(sentence, at = "", verdict = "") {
  setText("predict-sentence", sentence);
  setText("predict-at", at);
  const message = byId("predict-sentence");
  if (message) message.dataset.verdict = verdict;
}

/** Remove the question or the verdict. */
function clear() {
  if (question) chooser.end();
  [question, place, picks] = [null, null, []];
  tour.mark([]);
  over = isAtEnd();
  showSentence(active ? text(over ? "predict.over" : "predict.waiting") : "");
  showPhase(active ? "waiting" : "off");
}

/** Ask about the next step; false if there is nothing to ask. */
function askQuestion() {
  const [climb, map] = [player.shown(), tour.map()];
  wanted = false;
  if (!climb || !map || !isStill() || !isOffered()) return false;
  const { position } = state;
  const next = { algorithm: run.stage().algorithm, variant: run.started?.variant || "", climb, position, map };
  clear();
  question = makeQuestion(next);
  if (!question && position < climb.count) showSentence(text("predict.nothing"));
  if (!question) return false;
  place = { climb: state.climb, position };
  const buttons = question.kind === "choice" ? CHOICES.map((id) => byId(id)) : undefined;
  const { open, pairs } = /** @type {{ open?: (city: number) => boolean, pairs?: Int32Array }} */ (question);
  chooser.begin({ open, pairs, buttons, pick, point, crowded, leave });
  showSentence(sentencesOf(questionWords(question, map)), todo(question, picks, map));
  if (question.kind === "choice") {
    setText(CHOICES[0], words({ key: `question.yes.${question.what}` }));
    setText(CHOICES[1], words({ key: `question.no.${question.what}` }));
  }
  views.setStageData("asks", question.kind === "choice" ? "choice" : "map");
  showPhase("asking");
  tour.mark(questionMarks(map, question, picks, null), true);
  takeFocus();
  if (question.kind !== "choice") bringMap();
  return true;
}

/** Move the keyboard focus from the player to the map. */
function takeFocus() {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !focused.closest("#player, #predict")) return;
  if (question?.kind === "choice") byId(CHOICES[0])?.focus();
  else chooser.focus();
}

/** @param {number | null} at */
function point(at) {
  const map = tour.map();
  if (!question || !map) return;
  setText("predict-at", at === null ? todo(question, picks, map) : describeTarget(question, map, at, picks));
  tour.mark(questionMarks(map, question, picks, at), true);
}

const crowded = () => setText("predict-at", text("predict.crowded"));

/**
 * Pick one of the items under the pointer; picking it again clears it.
 * @param {number[]} alike
 */
function pick(alike) {
  const map = tour.map();
  if (!question || question.kind === "choice" || !map) return;
  const rest = alike.filter((at) => !picks.includes(at));
  const at = rest.length ? findMeant(question, rest) : alike[0];
  const wrong = objection(question, picks, at);
  if (picks.includes(at)) picks = [];
  else if (wrong) return setText("predict-at", wrong);
  else picks = [...picks, at];
  if (picks.length === question.needs) return answer(picks);
  setText("predict-at", todo(question, picks, map));
  tour.mark(questionMarks(map, question, picks, null), true);
}

/** Ask the class the open question, with answers to choose from. */
function askClass() {
  const map = tour.map();
  if (!question || !map || !place) return;
  const classQuestion = makeAnswers(question, map);
  if (!classQuestion) return setText("predict-at", text("predict.class.none"));
  const { answers, right, cities } = classQuestion;
  const marks = cities && { run: run.id, ...place, cities };
  const source = { text: questionWords(question, map), answers };
  const detail = { text: sentencesOf(source.text), answers: answers.map(words), right, marks, source };
  document.dispatchEvent(new CustomEvent("ask-class", { detail }));
}

/** @param {number[]} reply */
function answer(reply) {
  const map = tour.map();
  if (!question || !map || !place) return;
  const verdict = judge(question, reply, map);
  score.count(verdict.right);
  const marks = answerMarks(map, question, reply, verdict.right);
  const { climb, position } = place;
  clear();
  pass();
  place = { climb, position: position + 1 };
  tour.mark(marks);
  showSentence(verdict.sentence, "", verdict.right ? "right" : "wrong");
  showPhase("told");
}

/** Show the step. */
function pass() {
  passing = true;
  player.step(1);
  passing = false;
}

/** Leave the question without an answer, which does not count. */
function leave() {
  clear();
  pass();
}

/** Ask about the next step, if predictions are on; return whether the step waits for an answer. */
function beforeStep() {
  if (!active || passing) return false;
  if (!question) return askQuestion();
  clear();
  return false;
}

/** @param {boolean} on */
function turn(on) {
  active = on;
  byId("predict-on")?.setAttribute("aria-pressed", String(on));
  clear();
  if (!on) return;
  wanted = true;
  if (state.live || state.playing) player.pause();
  onPlayer();
}

/** Remove a question or a verdict once the player goes elsewhere. */
function onPlayer() {
  offer();
  if (!active) return;
  const here = place && isStill() && place.climb === state.climb && place.position === state.position;
  if (place ? !here : over !== isAtEnd()) clear();
  if (wanted && !place && isStill() && player.shown()) askQuestion();
}

/** Enable the switch if there is something to predict. */
function offer() {
  const button = byId("predict-on");
  if (!button) return;
  const offered = isOffered();
  const none = run.id && !hasQuestions(run.stage().algorithm);
  if (button.disabled === offered) button.disabled = !offered;
  button.title = none ? text("predict.none", { algorithm: run.units().title }) : text("predict.title");
  if (!offered && active && run.id) turn(false);
}

/** Ask the next question, from the start if the climb is over. */
function next() {
  if (!over) return player.step(1);
  wanted = true;
  player.goToStart();
}

/** @type {Record<string, () => unknown>} */
const CLICKS = {
  "predict-on": () => turn(!active),
  "predict-yes": () => answer([1]),
  "predict-no": () => answer([0]),
  "predict-class": askClass,
  "predict-skip": () => (question ? leave() : next()),
  "predict-reset": () => {
    score.reset();
    showPhase(question ? "asking" : "told");
  },
};
document.addEventListener("click", (event) => CLICKS[closest(event, "button")?.id || ""]?.());
player.beforeStep(beforeStep);
on(["player", "view"], onPlayer);
on(["viewed", "opened"], offer);
on("hand", (drawing) => drawing && turn(false));
on("closed", () => {
  clear();
  offer();
});
