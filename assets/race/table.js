/* The table of a race: the lanes at the moment that is shown, the one with the least gap first. */
import { byId, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { raceChart } from "./chart.js";
import { race } from "./state.js";
import { racePlayer } from "./player.js";

const CELLS = ["badge", "title", "length", "gap", "at", "compiled"];

/** @type {ReturnType<typeof rowOf>[]} */
let rows = [];

/** @param {Lane} lane */
function rowOf(lane) {
  const element = document.createElement("tr");
  /** @type {Record<string, HTMLTableCellElement>} */
  const cells = Object.fromEntries(CELLS.map((name) => [name, document.createElement(name === "title" ? "th" : "td")]));
  cells.title.scope = "row";
  cells.title.textContent = lane.view.title;
  cells.title.title = lane.view.facts;
  const badge = document.createElement("span");
  badge.className = "lane-badge";
  badge.textContent = lane.view.letter;
  badge.style.setProperty("--lane", `var(--${lane.view.colour})`);
  cells.badge.append(badge);
  element.append(...CELLS.map((name) => cells[name]));
  return { lane, cells, element };
}

function make() {
  rows = race.lanes.map(rowOf);
  byId("race-table").replaceChildren(...rows.map(({ element }) => element));
  fill();
}

/**
 * @param {HTMLElement} cell
 * @param {string} told
 */
function put(cell, told) {
  if (cell.textContent !== told) cell.textContent = told;
}

/**
 * A gap as a number with its sign; against the best of the race where no optimum is known.
 * @param {number} length
 */
function gapText(length) {
  const against = raceChart.reference();
  const percent = format.gapPercent(length, against);
  if (percent === 0 && race.optimum) return race.proven ? "optimal" : "0 %";
  return percent === null ? "\u2013" : format.percent(percent);
}

function fill() {
  const { clock } = racePlayer.state;
  const standing = rows.map((row) => ({ ...row, best: row.lane.moment(clock).best }));
  for (const { lane, cells, best } of standing) {
    put(cells.length, best ? format.integer(best.length) : "\u2013");
    put(cells.gap, best ? gapText(best.length) : "\u2013");
    put(cells.at, best ? format.seconds(best.at) : "\u2013");
    const { started, finished } = lane;
    put(cells.compiled, started ? format.seconds((finished || started).compile_seconds) : "\u2013");
  }
  const last = { length: Infinity, at: Infinity };
  standing.sort(({ best: a, lane: l }, { best: b, lane: m }) => {
    const [x, y] = [a || last, b || last];
    return x.length - y.length || x.at - y.at || l.number - m.number;
  });
  const body = byId("race-table");
  const order = standing.map(({ element }) => element);
  if (order.some((element, k) => body.children[k] !== element)) body.replaceChildren(...order);
}

on("race-opened", make);
on("race-moment", throttle(fill, 50));
on("race-told", throttle(fill, 250));
