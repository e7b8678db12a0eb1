/* The end of a race: a sentence about its result below the lanes, and the mark of the winning lane. */
import { byId, setText } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { racePanels } from "../panels.js";
import { racePlayer } from "../player.js";
import { race } from "../state.js";
import { leaders, raceSentence } from "./sentence.js";

/** @typedef {import("./sentence.js").LaneEnd} LaneEnd */

/**
 * Return the lanes' results, in the order of the lanes; a lane's name includes its letter if another lane has the same
 * title.
 */
function ends() {
  const titles = race.lanes.map(({ view }) => view.title);
  return race.lanes.map((lane) => {
    const { letter, title } = lane.view;
    const { length, at } = lane.best(Infinity) || { length: null, at: 0 };
    const name = titles.filter((other) => other === title).length > 1 ? `${letter} ${title}` : title;
    return { name, length, at };
  });
}

const isOver = () => Boolean(race.id && race.instance && race.lanes.every(({ over }) => over));

/** Return the result of the shown race; null before it has ended. */
function sentence() {
  const { lanes, instance, optimum, proven, compared } = race;
  if (!isOver() || !instance) return "";
  const { values } = instance;
  const known = { optimum, proven, missingWeight: values.missing_weight ?? 0, measured: values };
  const whole = lanes.every(({ state }) => state === "finished");
  return raceSentence(ends(), known, whole, !compared);
}

/** Return whether the end is shown; before it no lane can win. */
const isEnd = () => isOver() && racePlayer.state.clock >= racePlayer.duration() - 1e-9;

/** Return the numbers of the winning lanes, if the end is shown. */
function first() {
  const all = isEnd() ? ends() : [];
  return leaders(all).map((end) => all.indexOf(end));
}

function mark() {
  const element = byId("race-ending");
  if (element) element.dataset.shown = String(isEnd()); // hidden while a lesson asks who will win
  const numbers = first();
  for (const { number } of race.lanes) racePanels.mark(number, numbers.includes(number), numbers.length > 1);
}

function show() {
  setText("race-ending", sentence());
  mark();
}

on(["race-log", "race-opened"], show);
on("race-moment", mark);
on("race-player", () => race.id || show());
export const raceEnding = { sentence: () => (isEnd() ? sentence() : ""), whole: sentence, first };
