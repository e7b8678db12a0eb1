/*
 * Beat 2-opt on the site: a person draws a tour, city after city, and one climb of 2-opt from a random tour races
 * against it.
 */
import { byId, setText } from "../common/dom.js";
import { format } from "../common/format.js";
import { distance } from "../common/map/distances.js";
import { edges } from "../common/map/edges.js";
import { tourLength } from "../common/map/lengths.js";
import { hotkeys } from "../common/hotkeys.js";
import { compare, markDifferences, sentences } from "../watch/by_hand/contest.js";
import { measurePath, pathEdges } from "../watch/by_hand/path.js";
import { text as watch } from "../watch/texts.js";
import { chooser } from "../watch/tour/chooser.js";
import { board } from "./board.js";
import { data, mapOf } from "./data.js";
import { distanceMatrix } from "./solve/distances.js";
import { nearestNeighbour } from "./solve/nearest_neighbour.js";
import { Draws, randomTour } from "./solve/random.js";
import { climb } from "./solve/two_opt.js";
import { text } from "./texts.js";

const SIDE = 1000; // side of the square of random cities
const MOVE = 60; // milliseconds that a move of 2-opt is shown

/** @type {"drawing" | "whole" | "racing" | "told"} */
let phase = "drawing";
/** @type {number[]} */
let order = []; // the cities drawn so far

const anySeed = () => Math.floor(1e9 * Math.random());
const map = () => /** @type {TourMap} */ (board.map());

/** @param {typeof phase} now */
function enter(now) {
  phase = now;
  byId("stage").dataset.hand = now;
  byId("hand-undo").disabled = !["drawing", "whole"].includes(now) || !order.length;
  byId("hand-race").disabled = now !== "whole";
}

/**
 * @param {string} sentence
 * @param {string} [more]
 */
function showSentences(sentence, more = "") {
  setText("hand-sentence", sentence);
  setText("hand-at", more);
}

/**
 * Make random cities on a grid, no two of them side by side.
 * @param {number} n
 * @returns {SiteInstance}
 */
function randomInstance(n) {
  const draws = new Draws(anySeed(), 0);
  const apart = SIDE / (2 * Math.sqrt(n));
  /** @type {[number, number][]} */
  const cities = [];
  for (let step = 0; cities.length < n; step += 2) {
    const [x, y] = [step, step + 1].map((each) => {
      draws.draw(each);
      return draws.below(SIDE);
    });
    if (cities.every(([u, v]) => Math.hypot(x - u, y - v) > apart)) cities.push([x, y]);
  }
  const values = { ...data.instance.values, name: "", n, optimum: null, proven: false };
  return { values, arrays: { coordinates: cities.flat(), display: cities.flat() } };
}

/** Draw the tour so far, with the last city and the one under the pointer. @param {number | null} pointed */
function show(pointed = null) {
  const { xy, n } = map();
  const last = order.at(-1);
  /** @param {number} city @param {string} colour @returns {PaintedLine} */
  const dot = (city, colour) => {
    const line = { x: [xy[2 * city]], y: [xy[2 * city + 1]] };
    return { line, colour, alpha: 0.4, width: 0, dots: 24 };
  };
  const dots = [last === undefined ? null : dot(last, "tour"), pointed === null ? null : dot(pointed, "accent")];
  const path = { line: edges.edgeLines(xy, pathEdges(order, n)), colour: "tour", width: board.WIDTH };
  board.draw([...dots.filter((dot) => dot !== null), path]);
}

/** Return the sentence about the path so far. */
const describePath = () =>
  order.length ? watch("hand.far", { count: order.length, all: map().n, length: measurePath(map(), order) }) : "";

/** @param {number | null} at */
function point(at) {
  const last = order.at(-1);
  const known = at !== null && last !== undefined;
  const next = known && watch("hand.next", { city: format.integer(at + 1), far: distance(map(), last, at) });
  setText("hand-at", next || describePath());
  show(at);
}

/** @param {number[]} cities possible choices, the nearest first */
function pick([city]) {
  order.push(city);
  draw();
}

/** Ask for the next city, or state the length of a complete tour. */
function draw() {
  chooser.end();
  const whole = order.length === map().n;
  enter(whole ? "whole" : "drawing");
  show();
  if (whole) {
    showSentences(text("beat.whole", { length: measurePath(map(), order) }));
    byId("hand-race").focus();
    return;
  }
  const drawn = new Set(order);
  const crowded = () => setText("hand-at", text("beat.crowded"));
  chooser.begin({ open: (city) => !drawn.has(city), pick, point, crowded, leave: () => chooser.end() });
  showSentences(watch("hand.begin"), describePath());
}

function undo() {
  if (phase !== "drawing" && phase !== "whole") return;
  order.pop();
  draw();
}

function startAgain() {
  order = [];
  draw();
}

/** Show the cities chosen in the menu. */
function renew() {
  const { value } = byId("site-cities");
  board.show(mapOf(Number(value) ? randomInstance(Number(value)) : data.instance));
  startAgain();
}

/** Show one climb of 2-opt from a random tour. */
function race() {
  if (phase !== "whole") return;
  const here = map();
  enter("racing");
  showSentences(watch("hand.racing", { length: measurePath(here, order) }));
  const theirs = randomTour(anySeed(), 0, here.n);
  const climbing = climb(distanceMatrix(here), theirs);
  const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const step = () => {
    if (phase !== "racing" || map() !== here) return;
    const { done } = climbing.next();
    if (done) showComparison(theirs);
    else if (prefersReducedMotion) step();
    else {
      board.drawTour(theirs);
      window.setTimeout(step, MOVE);
    }
  };
  step();
}

/** @param {Int32Array} theirs */
function showComparison(theirs) {
  enter("told");
  const here = map();
  const compared = compare(Int32Array.from(order), theirs);
  const [mine, other] = [measurePath(here, order), tourLength(here, theirs, true)];
  const near = nearestNeighbour(distanceMatrix(here), here.n, order[0]);
  const { verdict, more } = sentences(here, mine, other, compared);
  showSentences(verdict, `${more} ${text("beat.nearest", { length: tourLength(here, near, true) })}`);
  board.drawTour(theirs, [], markDifferences(here, compared));
  byId("hand-again").focus();
}

if (data.page === "beat") {
  /** @type {Record<string, () => void>} */
  const clicks = { "hand-undo": undo, "hand-again": startAgain, "hand-race": race, "site-new": renew };
  for (const [id, work] of Object.entries(clicks)) byId(id).addEventListener("click", work);
  byId("site-cities").addEventListener("change", renew);
  hotkeys.listen(
    "tour",
    { Backspace: undo },
    [],
    () => null,
    () => phase === "racing" || phase === "told",
  );
  renew();
}
