/* The table of a race: the lanes at the shown moment, ordered by gap, the smallest first. */
import { byId, setText, replaceText, throttle } from "../common/dom.js";
import { element } from "../common/elements.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { named } from "../common/map/units.js";
import { raceChart } from "./chart.js";
import { race } from "./state.js";
import { racePlayer } from "./player.js";
import { text } from "./texts.js";

/** @type {Map<Lane, ReturnType<typeof makeRow>>} */
let rows = new Map();

/** @param {Lane} lane */
function makeRow({ view: { letter, title, facts, colour } }) {
  const badge = element("span.lane-badge", letter);
  badge.style.setProperty("--lane", `var(--${colour})`);
  const head = element("th", { scope: "row", title: facts }, title);
  const cells = Array.from({ length: 4 }, () => element("td"));
  return { cells, row: element("tr", element("td", badge), head, ...cells) };
}

function make() {
  rows = new Map(race.lanes.map((lane) => [lane, makeRow(lane)]));
  byId("race-table").replaceChildren(...[...rows.values()].map(({ row }) => row));
  fill();
}

/**
 * Format the gap of a length with a sign; it is relative to the race's best length if no optimum is known.
 * @param {number} length
 */
function gapText(length) {
  const { optimum, proven } = race;
  if (length === optimum) return format.gapSentence(length, optimum, proven);
  return format.gap(length, raceChart.reference());
}

/**
 * Return the lanes at a moment with the texts of their cells: the smallest gap first, then the earlier time.
 * @param {Lane[]} lanes
 * @param {number} clock
 */
export function standings(lanes, clock) {
  const ranked = lanes.map((lane) => {
    const { best } = lane.moment(clock);
    const { length, at } = best || { length: Infinity, at: Infinity };
    const { compile_seconds: compile } = lane.finished || lane.started || { compile_seconds: NaN };
    const worth = best ? [format.integer(length), gapText(length)] : [format.NONE, format.NONE];
    return { lane, length, at, texts: [...worth, format.seconds(at), format.seconds(compile)] };
  });
  return ranked.sort((a, b) => (a.length === b.length ? a.at - b.at || 0 : a.length - b.length)); // Infinity - Infinity is NaN
}

function fill() {
  const body = byId("race-table");
  const order = standings([...rows.keys()], racePlayer.state.clock).map(({ lane, texts }) => {
    const { row, cells } = /** @type {ReturnType<typeof makeRow>} */ (rows.get(lane));
    cells.forEach((cell, k) => replaceText(cell, texts[k]));
    return row;
  });
  if (order.some((row, k) => body.children[k] !== row)) body.replaceChildren(...order);
}

on("race-opened", make);
on("race-opened", () => setText("race-table-length", named(race.instance?.values, text("table.length"))));
on("race-moment", throttle(fill, 50));
on("race-log", throttle(fill, 250));
