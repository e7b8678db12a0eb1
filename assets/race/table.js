/* The table of a race: the lanes at the moment that is shown, the one with the least gap first. */
import { byId, setTextOf, throttle } from "../common/dom.js";
import { element } from "../common/elements.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { raceChart } from "./chart.js";
import { race } from "./state.js";
import { racePlayer } from "./player.js";
import { text } from "./texts.js";

/** @type {ReturnType<typeof rowOf>[]} */
let rows = [];

/** @param {Lane} lane */
function rowOf(lane) {
  const { letter, title, facts, colour } = lane.view;
  const badge = element("span", { class: "lane-badge" }, letter);
  badge.style.setProperty("--lane", `var(--${colour})`);
  const head = element("th", { scope: "row", title: facts }, title);
  const numbers = Array.from({ length: 4 }, () => element("td"));
  return { lane, numbers, row: element("tr", {}, element("td", {}, badge), head, ...numbers) };
}

function make() {
  rows = race.lanes.map(rowOf);
  byId("race-table").replaceChildren(...rows.map(({ row }) => row));
  fill();
}

/**
 * A gap as a number with its sign; against the best of the race where no optimum is known.
 * @param {number} length
 */
function gapText(length) {
  const { optimum, proven } = race;
  if (length === optimum) return format.gapSentence(length, optimum, proven);
  return format.percent(format.gapPercent(length, raceChart.reference()) ?? 0);
}

function fill() {
  const { clock } = racePlayer.state;
  const ranked = rows.map((row) => ({ ...row, best: row.lane.moment(clock).best }));
  for (const { lane, numbers, best } of ranked) {
    const { length, at } = best || { length: NaN, at: NaN };
    const { compile_seconds: compile } = lane.finished || lane.started || { compile_seconds: NaN };
    const shown = [
      best && format.integer(length),
      best && gapText(length),
      format.seconds(at),
      format.seconds(compile),
    ];
    numbers.forEach((cell, k) => setTextOf(cell, shown[k] || text("number.none")));
  }
  /** @param {TimedLength | null} best */
  const rank = (best) => best || { length: Number.MAX_VALUE, at: 0 };
  // rows of equal lanes stay in their order
  ranked.sort(({ best: a }, { best: b }) => rank(a).length - rank(b).length || rank(a).at - rank(b).at);
  const body = byId("race-table");
  const order = ranked.map(({ row }) => row);
  if (order.some((row, k) => body.children[k] !== row)) body.replaceChildren(...order);
}

on("race-opened", make);
on("race-moment", throttle(fill, 50));
on("race-log", throttle(fill, 250));
