/* The panel "Climbers against accuracy": the lengths of a run's climbers, and how good the best of 1, 10, 100, ... is. */
import { byId, setText, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { player } from "./player/players.js";
import { Restarts, WITHIN } from "./restarts.js";
import { run } from "./run.js";

const QUARTER = 250; // milliseconds: the panel changes at most four times a second
const [FEWEST, MOST] = [12, 56]; // bars
const ROOM = 0.04; // of the range, on both sides
const LETTER = 0.009; // half a letter of a tick, as a share of the width
const EMPTY = "\u2013";

let restarts = new Restarts(null);
let view = null;
let took = []; // milliseconds of the last redraws

/** Only climbs that each begin anew can be put into groups. */
const fits = () => run.units().iteration === "climber";
const panel = () => byId("study");
const isShown = () => Boolean(panel()?.offsetParent);

/** A percentage without a sign: cut, not rounded, so that only all is 100 %, and none 0 %. */
function share(value) {
  if (!Number.isFinite(value)) return EMPTY;
  if (value > 0 && value < 0.01) return "< 0.01 %";
  return `${(Math.floor(100 * value + 1e-9) / 100).toFixed(2)} %`;
}

const accuracy = (length) => (restarts.optimum ? share((100 * restarts.optimum) / length) : EMPTY);

/** A length as the panel tells it: the gap to the optimum, where one is known. */
function place(length) {
  if (length === restarts.optimum) return run.proven ? "optimal" : "best known";
  return restarts.optimum ? format.percent(format.gapPercent(length, restarts.optimum)) : format.integer(length);
}

/** Where the climber on the canvas ends, or how far it has come. */
function shownClimber() {
  if (!view) return null;
  const climb = player.shown();
  const ended = !view.live && climb && climb.climber === view.climber && climb.complete;
  return { climber: view.climber, length: ended ? climb.lengths[climb.count] : view.length };
}

/** What the axis shows: all bars, and the optimum too where it is not farther from them than they are wide. */
function rangeOf({ from, width, counts }) {
  const end = from + width * counts.length;
  const near = restarts.optimum && from - restarts.optimum < end - from;
  const low = near ? Math.min(from, restarts.optimum) : from;
  const room = ROOM * (end - low);
  return { low: low - room, high: end + room };
}

/** Round numbers from `low` to `high`, about five. */
function rounds(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, k) => ({
    value: (first + k) * step,
    step,
  }));
}

/** The words at a tick: a gap, or a length where no optimum is known. */
function tickText(value, step) {
  if (!restarts.optimum) return format.integer(value);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)} %`;
}

/** The ticks as elements, at their shares of the width; none that would be cut at an edge. */
function ticks({ low, high }) {
  const { optimum } = restarts;
  const [left, right] = [low, high].map((length) => (optimum ? format.gapPercent(length, optimum) : length));
  const found = rounds(left, right).map(({ value, step }) => {
    return { text: tickText(value, step), at: (value - left) / (right - left) };
  });
  const whole = found.filter(({ text, at }) => Math.min(at, 1 - at) > text.length * LETTER);
  return whole.map(({ text, at }) => {
    const element = Object.assign(document.createElement("span"), { textContent: text });
    element.style.left = `${100 * at}%`;
    return element;
  });
}

/** The outline of all bars, in percent of the picture. */
function outline({ from, width, counts }, { low, high }) {
  const scale = 100 / (high - low);
  const top = Math.max(...counts);
  const points = counts.map((count, k) => {
    const left = ((from + k * width - low) * scale).toFixed(3);
    const right = ((from + (k + 0.9) * width - low) * scale).toFixed(3);
    const height = (count ? 100 - Math.max(1, (96 * count) / top) : 100).toFixed(2);
    return `${left}% 100%,${left}% ${height}%,${right}% ${height}%,${right}% 100%`;
  });
  return `polygon(${points.join(",")})`;
}

/** Put a line where `length` is, at the edge where that is outside, and say it; no length, no line. */
function mark(name, length, text, { low, high }) {
  const line = byId(`study-mark-${name}`);
  line.hidden = length === null;
  if (length !== null) line.style.left = `${Math.min(100, Math.max(0, (100 * (length - low)) / (high - low)))}%`;
  setText(`study-key-${name}`, text);
}

function drawHistogram() {
  const most = Math.min(MOST, Math.max(FEWEST, Math.round(2 * Math.sqrt(restarts.count))));
  const bars = restarts.bins.bars(most);
  const range = rangeOf(bars);
  byId("study-bars").style.clipPath = outline(bars, range);
  byId("study-ticks").replaceChildren(...ticks(range));
  const mean = restarts.sum / restarts.count;
  const climber = shownClimber();
  mark("best", restarts.best, `best ${place(restarts.best)}`, range);
  mark("mean", mean, `mean ${place(mean)}`, range);
  mark(
    "climber",
    climber?.length,
    climber ? `climber ${format.integer(climber.climber + 1)} ${place(climber.length)}` : "",
    range,
  );
}

function rowOf(texts) {
  const row = document.createElement("tr");
  for (const text of texts) row.append(Object.assign(document.createElement("td"), { textContent: text }));
  return row;
}

function drawTables() {
  const { integer } = format;
  const rows = restarts
    .whole()
    .map(({ size, count, mean, best, worst }) =>
      rowOf([integer(size), integer(count), integer(mean), integer(best), integer(worst), accuracy(mean)]),
    );
  byId("study-rows").replaceChildren(...rows);
  const { n } = run.instance;
  const scan = ((n - 1) * (n - 2)) / 2; // moves
  const scans = scan ? (restarts.evaluations / scan / restarts.count).toFixed(1) : EMPTY;
  const shares = WITHIN.map((_, k) => (restarts.optimum ? share((100 * restarts.within[k]) / restarts.count) : EMPTY));
  byId("study-all").replaceChildren(rowOf([integer(restarts.count), ...shares, scans, format.seconds(run.elapsed)]));
}

/** What stands in place of the numbers as long as there are none. */
function missing() {
  if (!run.id || !run.instance) return "How the best tour gets shorter with more climbers, once a run is on.";
  if (!fits())
    return `This is for climbers that each start from a random tour: choose 2-opt, random restarts. Here it was ${run.units().title}.`;
  return restarts.count ? "" : "Waiting for the first climber to finish.";
}

/** What must be known to read the numbers. */
function caution() {
  const chained = run.spec.stages.length > 1;
  return chained ? "Climber 1 starts from the tour of the stage before, the others from random tours." : "";
}

function draw() {
  if (!isShown()) return;
  const began = performance.now();
  const text = missing();
  panel().dataset.empty = String(Boolean(text));
  panel().dataset.optimum = restarts.optimum ? "known" : "unknown";
  setText("study-missing", text || caution());
  if (!text) {
    drawHistogram();
    drawTables();
  }
  took.push(performance.now() - began);
  if (took.length > 200) took = took.slice(-100);
}

const drawSoon = throttle(draw, QUARTER);

/** Show the panel, or the table of climbers in its place. */
function show(on) {
  const section = document.querySelector(".numbers");
  section.dataset.part = on ? "study" : "table";
  draw();
}

on("opened", (run) => {
  restarts = new Restarts(run.optimum);
  drawSoon();
});
on("rows", (arrays) => {
  if (fits()) restarts.take(arrays);
  drawSoon();
});
on("view", (now) => {
  view = now;
  drawSoon();
});
on("log", drawSoon);
on("closed", () => {
  restarts = new Restarts(null);
  view = null;
  took = [];
  drawSoon();
});
export const study = { show, told: () => restarts, took: () => took };
