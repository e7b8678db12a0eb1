/*
 * The sentence below the tour, which explains the shown step with the numbers of this run. It is empty while steps pass
 * too fast to read and while a run is followed live, so that it never describes an earlier step.
 */
import { byId, setText } from "../../common/dom.js";
import { emit, on } from "../../common/events.js";
import { player } from "../player/players.js";
import { speed } from "../player/state.js";
import { run } from "../run.js";
import { tour } from "../tour/tour.js";
import { findExplainer } from "./registry.js";

const READING = 2; // steps a second up to which each step is explained
const ID = "explain";
/** @type {Explanation} */
const NOTHING = { sentence: "", line: null };

/** @type {View | null} */
let view = null; // the shown view
let details = true; // whether the shown view has been explained, including its shades
let request = 0; // number of the last request, so that late explanations are dropped
let newest = NOTHING;

const { state } = player;
const isFast = () => state.playing && speed() > READING;

/** @param {Explanation} explanation */
function show(explanation) {
  if (explanation.sentence === newest.sentence && explanation.line === newest.line) return;
  newest = explanation;
  byId(ID)?.setAttribute("aria-live", state.playing ? "off" : "polite");
  setText(ID, explanation.sentence);
  emit("explained", explanation);
}

/** @param {Explanation | null} explanation */
function showExplanation(explanation) {
  show(explanation || NOTHING);
  const key = byId("legend-candidates");
  if (key) key.dataset.shown = String(Boolean(explanation?.candidates));
  if (!explanation) return;
  const { shades = [], cities = [] } = explanation;
  if (shades.length || cities.length) tour.shade(shades, cities);
}

function explain() {
  request += 1;
  const mine = request;
  const map = tour.map();
  if (!view || !map) return;
  const explainer = findExplainer(view.walk, run.stage().algorithm);
  details = !isFast();
  if (view.live || !details) return showExplanation(null);
  const explained = explainer?.({ view, map, climb: player.shown() }) || null;
  if (!(explained instanceof Promise)) return showExplanation(explained);
  explained.then(
    (late) => mine === request && showExplanation(late),
    () => mine === request && showExplanation(null), // without the server, this step has no explanation
  );
}

/** @param {View} now */
function onView(now) {
  view = now;
  explain();
}

/** Once the player stops, explain the step that it stopped at, if steps were too fast to explain. */
function onPlayer() {
  if (!details && !state.playing) explain();
}

function clear() {
  request += 1;
  view = null;
  details = true;
  show(NOTHING);
}

on("view", onView);
on("player", onPlayer);
on("picked", explain);
on(["opened", "closed"], clear);

/** Return the current explanation, with its pseudo-code line. */
export const explanation = () => newest;
