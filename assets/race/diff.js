/* The differences between the tours of two lanes: shared edges, and edges of only one tour. */
import { byId, setText, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { compare } from "../common/map/difference.js";
import { race } from "./state.js";
import { racePlayer } from "./player.js";
import { text } from "./texts.js";

let wanted = false;
let directed = false; // whether the instance, which all lanes share, is directed
/** @type {[number, number]} */
let chosen = [0, 1];
/** @type {(Compared & { key: string }) | null} */
let cached = null;

const pair = () => chosen.map((number) => race.lanes[number]);
const active = () => wanted && chosen[0] !== chosen[1] && pair().every(Boolean);

/** Update the comparison when either tour changes. */
function key() {
  if (!active()) return "";
  const { clock } = racePlayer.state;
  return pair()
    .map((lane) => [lane.number, lane.best(clock)?.length].join(":"))
    .join();
}

function current() {
  const now = key();
  if (!now) return null;
  if (!cached || cached.key !== now) {
    const { clock } = racePlayer.state;
    const [first, second] = pair().map((lane) => lane.moment(clock).order);
    cached = first && second ? { key: now, ...compare(first, second, directed) } : null;
  }
  return cached;
}

/**
 * Return whether a lane is one of the two in the comparison.
 * @param {number} number
 */
const isCompared = (number) => active() && chosen.includes(number);

/**
 * Return the edges of a lane in the comparison; null for other lanes.
 * @param {number} number
 */
function edges(number) {
  const both = isCompared(number) && current();
  return both ? { both: both.both, only: both.only[chosen.indexOf(number)] } : null;
}

/**
 * Choose two lanes by their numbers.
 * @param {unknown} compares truthy to compare the lanes
 * @param {string} first
 * @param {string} second
 */
function choose(compares, first, second) {
  wanted = Boolean(compares);
  chosen = [Number(first), Number(second)];
  document.body.classList.toggle("differs", active());
  racePlayer.requestFrame();
  showSentence();
}

const showSentence = () => setText("race-differ-sentence", sentence());

function sentence() {
  if (!wanted || !race.lanes.length) return "";
  if (!active()) return text("differ.choose");
  const compared = current();
  if (!compared) return text("differ.no-tour");
  const [first, second] = pair().map(({ view }) => view.letter);
  const only = compared.only[0].length / 2;
  if (!only) return text("differ.same", { first, second });
  return text("differ.edges", { count: compared.both.length / 2, only, first, second });
}

on("map", (map) => {
  directed = map.directed;
  cached = null;
});
/** Offer only the lanes of the race. */
function offerLanes() {
  for (const id of ["race-differ-a", "race-differ-b"])
    for (const option of byId(id)?.options || [])
      option.hidden = option.disabled = Number(option.value) >= race.views.length;
}

on("race-opened", offerLanes);
on("race-moment", throttle(showSentence, 200));
export const raceDiffer = { choose, edges, key, compare };
