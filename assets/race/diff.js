/* Where the tours of two lanes differ: edges of both, and those that the other has not. */
import { setText, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { race } from "./state.js";
import { racePlayer } from "./player.js";

let wanted = false;
/** @type {[number, number]} */
let chosen = [0, 1];
/** @type {(Compared & { key: string }) | null} */
let found = null;

/**
 * An edge as a number, whichever way it is gone.
 * @param {number} a
 * @param {number} b
 * @param {number} n
 */
const nameOf = (a, b, n) => (a < b ? a * n + b : b * n + a);

/** @param {Order} order */
function edgesOf(order) {
  const n = order.length;
  /** @type {Map<number, [number, number]>} */
  const edges = new Map();
  for (let k = 0; k < n; k += 1) {
    const [a, b] = [order[k], order[(k + 1) % n]];
    edges.set(nameOf(a, b, n), [a, b]);
  }
  return edges;
}

/**
 * Edges of both tours, and of each alone, as flat pairs of cities.
 * @param {Order} first
 * @param {Order} second
 * @returns {Compared}
 */
function compare(first, second) {
  const [mine, yours] = [edgesOf(first), edgesOf(second)];
  /**
   * @param {Map<number, [number, number]>} edges
   * @param {(name: number) => boolean} wanted
   */
  const pairs = (edges, wanted) =>
    Int32Array.from([...edges].filter(([name]) => wanted(name)).flatMap(([, ends]) => ends));
  return {
    both: pairs(mine, (name) => yours.has(name)),
    only: [pairs(mine, (name) => !yours.has(name)), pairs(yours, (name) => !mine.has(name))],
  };
}

const pair = () => chosen.map((number) => race.lanes[number]);
const active = () => wanted && chosen[0] !== chosen[1] && pair().every(Boolean);

/** What is to be compared changes with the tours of both. */
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
  if (!found || found.key !== now) {
    const { clock } = racePlayer.state;
    const [first, second] = pair().map((lane) => lane.moment(clock).order);
    found = first && second ? { key: now, ...compare(first, second) } : null;
  }
  return found;
}

/**
 * Whether a lane is one of the two that are compared.
 * @param {number} number
 */
const of = (number) => active() && chosen.includes(number);

/**
 * The edges of a lane that is compared; else null.
 * @param {number} number
 */
function edges(number) {
  const both = of(number) && current();
  return both ? { both: both.both, only: both.only[chosen.indexOf(number)] } : null;
}

/**
 * Choose two lanes by their numbers.
 * @param {unknown} compares truthy to compare them
 * @param {string} first
 * @param {string} second
 */
function choose(compares, first, second) {
  wanted = Boolean(compares);
  chosen = [Number(first), Number(second)];
  document.body.classList.toggle("differs", active());
  racePlayer.ask();
  say();
}

function say() {
  setText("race-differ-says", sentence());
}

function sentence() {
  if (!wanted || !race.lanes.length) return "";
  if (!active()) return "Choose two lanes.";
  const edgesNow = current();
  if (!edgesNow) return "Both lanes need a tour first.";
  const { integer } = format;
  const [first, second] = pair().map(({ view }) => view.letter);
  const [only] = edgesNow.only;
  if (!only.length) return `${first} and ${second} are the same tour.`;
  const count = integer(only.length / 2);
  return `${integer(edgesNow.both.length / 2)} edges in both, ${count} only in ${first}, ${count} only in ${second}.`;
}

on("race-moment", throttle(say, 200));
export const raceDiffer = { choose, of, edges, key, compare };
