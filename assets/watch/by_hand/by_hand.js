/*
 * Beat 2-opt: a person draws a tour, city after city. The tour becomes a run, like any imported tour, and races against
 * one climb of 2-opt from a random tour; afterwards 2-opt can continue from the drawn tour.
 */
import { readJson } from "../../common/response.js";
import { setProps } from "../../common/callbacks.js";
import { basePath, byId, closest, setText } from "../../common/dom.js";
import { emit, on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { bringMap } from "../../common/map/bring.js";
import { distance } from "../../common/map/distances.js";
import { hotkeys } from "../../common/hotkeys.js";
import { cityName } from "../explain/edges.js";
import { leaveRun, openRun, shownInstance } from "../open.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { chooser } from "../tour/chooser.js";
import { tour } from "../tour/tour.js";
import { views } from "../views.js";
import { compare, markDifferences, sentences } from "./contest.js";
import { measurePath, pathEdges, explainRefusal } from "./path.js";

/** @typedef {"off" | "refused" | "drawing" | "whole" | "racing" | "told"} Phase */
/** @type {Phase} */
let phase = "off";
/** @type {number[]} */
let order = []; // the cities drawn so far
/** @type {{ mine: string, race: string }} */
let runs = { mine: "", race: "" }; // the ids of both runs

/** @param {Phase} now */
function enter(now) {
  phase = now;
  views.setStageData("hand", now);
  emit("hand", now !== "off");
  byId("hand-open")?.setAttribute("aria-pressed", String(now !== "off"));
}

/**
 * @param {string} sentence
 * @param {string} [more]
 */
function showSentences(sentence, more = "") {
  setText("hand-sentence", sentence);
  setText("hand-at", more);
  setText("hand-note", "");
}

/** Draw the tour so far, with a line to the city under the pointer. @param {number | null} pointed */
function show(pointed = null) {
  const map = tour.map();
  if (!map) return;
  const pairs = pathEdges(order, map.n);
  tour.draw({ pairs, count: pairs.length / 2 });
  const last = order.at(-1);
  const [ends, next] = [last === undefined ? [] : [last], pointed === null ? [] : [pointed]];
  const visited = dots(map, order.slice(0, -1), "tour", 0.25, 15);
  tour.mark([...visited, ...dots(map, ends, "tour", 0.3), ...dots(map, next, "accent", 0.5)]);
}

/**
 * @param {TourMap} map
 * @param {number[]} cities
 * @param {string} colour
 * @param {number} alpha
 * @param {number} [across] diameter in pixels
 * @returns {PaintedLine[]}
 */
const dots = ({ xy }, cities, colour, alpha, across = 22) =>
  cities.map((city) => ({ line: { x: [xy[2 * city]], y: [xy[2 * city + 1]] }, colour, alpha, width: 0, dots: across }));

/** Return the sentence about the path so far. @param {TourMap} map */
function describePath(map) {
  const length = measurePath(map, order);
  return order.length ? text("hand.far", { count: order.length, all: map.n, length }) : "";
}

/** @param {number | null} at */
function point(at) {
  const map = tour.map();
  if (!map || phase !== "drawing") return;
  const last = order.at(-1);
  const near = at !== null && last !== undefined;
  setText(
    "hand-at",
    near ? text("hand.next", { city: cityName(map, at), far: distance(map, last, at) }) : describePath(map),
  );
  show(at);
}

/** @param {number[]} cities possible choices, the nearest first */
function pick([city]) {
  const map = tour.map();
  if (!map || phase !== "drawing") return;
  order.push(city);
  if (order.length < map.n) begin();
  else finish(map);
}

/** Ask for the next city. */
function begin() {
  const map = tour.map();
  if (!map) return;
  if (phase !== "drawing") chooser.end();
  enter("drawing");
  const drawn = new Set(order);
  const crowded = () => setText("hand-at", text("hand.crowded"));
  chooser.begin({ open: (city) => !drawn.has(city), pick, point, crowded, leave });
  showSentences(text("hand.begin"), describePath(map));
  show();
}

/** @param {TourMap} map */
function finish(map) {
  const length = measurePath(map, order);
  chooser.end();
  enter("whole");
  showSentences(text("hand.whole", { length, worth: format.gapSentence(length, map.optimum, map.proven) }));
  show();
  byId("hand-race")?.focus();
}

function undo() {
  if (!["drawing", "whole"].includes(phase)) return;
  order.pop();
  begin();
}

/** Let a person draw a tour of the shown cities, if there are few enough. */
async function open() {
  const wasShown = Boolean(run.id);
  await leaveRun();
  const map = tour.map();
  if (!map) return;
  order = [];
  const refusal = explainRefusal(map);
  if (!refusal) {
    begin();
    bringMap();
    if (wasShown) setText("hand-at", text("hand.left"));
    if (document.activeElement?.matches("#hand-open:focus-visible, .hand button:focus-visible")) chooser.focus();
    return;
  }
  enter("refused");
  showSentences(refusal === "size" ? text("hand.size", { n: map.n }) : text("hand.directed"));
}

/** Restore the map. */
function leave() {
  if (phase === "drawing") chooser.end();
  const drawing = ["drawing", "whole", "refused"].includes(phase);
  enter("off");
  showSentences("");
  tour.mark([]);
  if (drawing && !run.id) tour.draw({ pairs: new Int32Array(0), count: 0 });
}

/**
 * Start a run that shows the drawn tour, or a run of 2-opt.
 * @param {"tour" | "race" | "improve"} what
 * @returns {Promise<{ run?: string, search?: string }>}
 */
async function start(what) {
  const instance = shownInstance();
  const body = JSON.stringify({ what, instance, tour: order, seed: Math.floor(1e6 * Math.random()) });
  const answer = await fetch(`${basePath()}by-hand`, { method: "POST", body }).catch(() => null);
  const reply = answer && (await readJson(answer).catch(() => null));
  if (!reply?.run) setText("hand-note", reply?.note || reply?.sentence || text("hand.silent"));
  return reply || {};
}

/** @param {{ run?: string, search?: string }} started */
function show2opt({ run: id = "", search }) {
  openRun(id);
  setProps("run", { data: { run: id } });
  setProps("url", { search: search ?? "" });
}

async function race() {
  const map = tour.map();
  if (!map || phase !== "whole") return;
  const mine = await start("tour");
  const other = mine.run ? await start("race") : {};
  if (!mine.run || !other.run) return;
  runs = { mine: mine.run, race: other.run };
  enter("racing");
  showSentences(text("hand.racing", { length: measurePath(map, order) }));
  show2opt(other);
}

async function improve() {
  const started = await start("improve");
  if (!started.run) return;
  leave();
  show2opt(started);
}

/** Once the climb of 2-opt has played, announce the winner. @param {View} view */
function onView({ resting, live }) {
  const map = tour.map();
  const best = run.best?.order;
  if (phase !== "racing" || !resting || live || !map || !best || run.id !== runs.race) return;
  enter("told");
  const compared = compare(Int32Array.from(order), best);
  const { verdict, more } = sentences(map, measurePath(map, order), run.best?.length ?? 0, compared);
  showSentences(verdict, more);
  tour.mark(markDifferences(map, compared), true);
  byId("hand-compare")?.setAttribute("href", `${basePath()}race/?runs=${runs.mine},${runs.race}`);
}

/** Another run was opened, or another instance chosen, while a person draws a tour. */
function onOpened() {
  const ours = run.id === runs.race && phase === "racing";
  if (phase !== "off" && run.id && !ours) leave();
}

function onMap() {
  if (["refused", "drawing", "whole"].includes(phase) && !run.id) window.setTimeout(open, 0); // once the map is shown
}

/** @type {Record<string, () => unknown>} */
const CLICKS = {
  "hand-open": () => (phase === "off" ? open() : leave()),
  "hand-undo": undo,
  "hand-again": open,
  "hand-race": race,
  "hand-improve": improve,
  "hand-leave": leave,
};
document.addEventListener("click", (event) => {
  CLICKS[closest(event, "button, a")?.id || ""]?.();
  const smaller = closest(event, "#hand-smaller button")?.dataset.instance;
  if (smaller) setProps("instance", { value: smaller });
});
hotkeys.listen(
  "tour",
  { Backspace: undo },
  [],
  () => null,
  () => !["drawing", "whole"].includes(phase),
);
on("view", onView);
on("opened", onOpened);
on("map", onMap);
