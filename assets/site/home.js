/* The start page: 2-opt shortens a random tour on the page's map, move by move, then another random tour. */
import { byId, setText } from "../common/dom.js";
import { format } from "../common/format.js";
import { edges } from "../common/map/edges.js";
import { tourLength } from "../common/map/lengths.js";
import { board } from "./board.js";
import { data, mapOf } from "./data.js";
import { distanceMatrix } from "./solve/distances.js";
import { randomTour } from "./solve/random.js";
import { climb } from "./solve/two_opt.js";
import { text } from "./texts.js";

const MOVE = 220; // milliseconds that a move is shown
const REST = 4000; // milliseconds that a finished tour is shown

/**
 * Return the edges that a move exchanges, fading.
 * @param {TourMap} map
 * @param {number[]} cities their ends: two edges removed, two added
 * @param {number} alpha
 * @returns {PaintedLine[]}
 */
function fadeEdges({ xy }, cities, alpha) {
  const [removed, added] = [cities.slice(0, 4), cities.slice(4)].map((pairs) => edges.edgeLines(xy, pairs));
  return [
    { line: removed, colour: "removed", width: 2, alpha: 0.7 * alpha, dash: [5, 5] },
    { line: added, colour: "added", width: 4.5, alpha },
  ];
}

/** @param {TourMap} map */
function play(map) {
  const far = distanceMatrix(map);
  const { n } = map;
  let seed = 0;
  let order = new Int32Array(0);
  let climbing = climb(far, order);
  let length = 0;
  let moves = 0;
  let over = false;
  let playing = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  let due = 0; // the moment of the next move
  /** @type {number[]} */
  let changed = [];

  function begin() {
    seed += 1;
    order = randomTour(seed, 0, n);
    climbing = climb(far, order);
    length = tourLength(map, order, true);
    moves = 0;
    over = false;
  }

  /** Make a move; returns whether there was one. */
  function advance() {
    const before = order.slice();
    const { done, value } = climbing.next();
    if (done) return false;
    const [a, b, c, d] = [value.i, value.i + 1, value.j, (value.j + 1) % n].map((at) => before[at]);
    changed = [a, b, c, d, a, c, b, d];
    length += value.delta;
    moves += 1;
    return true;
  }

  function showNumbers() {
    setText("hud-length", format.integer(length));
    setText("hud-gap", format.gapSentence(length, map.optimum, map.proven));
    setText("hud-where", text(over ? "home.over" : "home.move", { count: moves }));
  }

  function finish() {
    while (advance());
    over = true;
    showNumbers();
    board.drawTour(order);
  }

  /** @param {number} now */
  function frame(now) {
    if (!playing) return;
    const next = now >= due;
    if (next) {
      if (over) begin();
      over = !advance();
      showNumbers();
      due = now + (over ? REST : MOVE);
    }
    if (next || !over) board.drawTour(order, over ? [] : fadeEdges(map, changed, Math.max(0, (due - now) / MOVE)));
    window.requestAnimationFrame(frame);
  }

  function showButton() {
    byId("player-play").setAttribute("aria-pressed", String(playing));
    const label = text(playing ? "home.pause" : "home.play");
    byId("player-play").setAttribute("aria-label", label);
    byId("player-play").title = label;
  }

  byId("player-play").addEventListener("click", () => {
    playing = !playing;
    showButton();
    if (playing) window.requestAnimationFrame(frame);
  });
  board.show(map);
  begin();
  showNumbers();
  showButton();
  if (playing) window.requestAnimationFrame(frame);
  else finish();
}

if (data.page === "home") play(mapOf(data.instance));
