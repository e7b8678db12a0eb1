/* The panels of a race: of each lane the best tour so far, faintly the one that it is at, and what it has come to. */
import { byId } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { edges } from "../common/map/edges.js";
import { format } from "../common/format.js";
import { makeStats } from "../common/frame_stats.js";
import { mapOf } from "../common/map/map.js";
import { makePainter } from "../common/map/painter.js";
import { visibleEdges } from "../common/map/thinning.js";
import { raceDiffer } from "./diff.js";
import { race } from "./state.js";

const MOST = 4;
const SHARE = 0.32; // of the distance between cities that lie evenly: a dot's diameter at most
const DOTS = { least: 1, most: 4.5 };

/** @type {TourMap | null} */
let map = null; // of the instance that all panels show

/** @type {Panel[]} */
const panels = Array.from({ length: MOST }, (_, number) => ({
  number,
  shown: "",
  seen: [],
  painter: null,
  stats: makeStats(),
}));

/**
 * The element of a panel; the page has all of them.
 * @param {number} number
 */
const element = (number) => /** @type {HTMLElement} */ (document.querySelector(`.lane[data-lane="${number}"]`));

/**
 * A part of a panel's head.
 * @param {number} number
 * @param {string} name
 */
const part = (number, name) => /** @type {HTMLElement} */ (element(number).querySelector(`.lane-${name}`));

/**
 * A dot for each city, as large as there is room on so large a canvas.
 * @param {TourMap} map
 * @param {number} width
 * @param {number} height
 */
function looks({ n }, width, height) {
  return { size: Math.min(DOTS.most, Math.max(DOTS.least, SHARE * Math.sqrt((width * height) / n))), ring: 0 };
}

/** @param {Panel} panel */
function painterOf(panel) {
  const canvas = /** @type {HTMLCanvasElement} */ (element(panel.number).querySelector("canvas"));
  panel.painter ||= makePainter(canvas, looks);
  return panel.painter;
}

/**
 * @param {number} number
 * @param {string} name of a part
 * @param {string} said
 */
function text(number, name, said) {
  const place = part(number, name);
  if (place.textContent !== said) place.textContent = said;
}

/**
 * Panels for the lanes of a race, or of one that is to be, without tours.
 * @param {LaneView[]} views
 * @param {Frames["instance"]} frame
 */
function lay(views, frame) {
  map = mapOf(frame);
  emit("map", map);
  byId("race-panels").dataset.lanes = String(views.length);
  for (const panel of panels) {
    const { number } = panel;
    const view = views[number];
    element(number).hidden = !view;
    if (!view) continue;
    element(number).style.setProperty("--lane", `var(--${view.colour})`);
    element(number).setAttribute("aria-label", `Lane ${view.letter}, ${view.title}`);
    text(number, "badge", view.letter);
    text(number, "title", view.title);
    part(number, "title").title = view.facts;
    for (const name of ["length", "gap", "state"]) text(number, name, "");
    panel.shown = "";
    painterOf(panel).show(map);
    panel.stats = makeStats();
  }
}

/**
 * A tour's line, thinned where it would be a blot.
 * @param {TourMap} map
 * @param {Order} order
 * @param {number} scale pixels for each unit of the map
 */
function lineOf(map, order, scale) {
  const visible = visibleEdges(map, order, scale);
  return visible ? edges.thinnedLine(map.xy, order, visible) : edges.tourLine(map.xy, order);
}

/**
 * The lines of a moment of a lane, the lowest first.
 * @param {TourMap} map
 * @param {Lane} lane
 * @param {Moment} moment
 * @param {number} scale pixels for each unit of the map
 * @returns {DrawnLine[]}
 */
function linesOf(map, { view, number }, { order, work }, scale) {
  const { colour } = view;
  const slim = map.n > 600;
  const differing = raceDiffer.edges(number);
  if (differing) {
    const [both, only] = [differing.both, differing.only].map((pairs) => edges.edgeLines(map.xy, pairs));
    return [
      { line: both, colour: "mute", width: 1, alpha: 0.7 },
      { line: only, colour, width: slim ? 2 : 3.2 },
    ];
  }
  /** @type {DrawnLine[]} */
  const lines = order ? [{ line: lineOf(map, order, scale), colour, width: slim ? 1 : 2 }] : [];
  if (work && work.order !== order)
    lines.unshift({ line: lineOf(map, work.order, scale), colour, width: 1, alpha: 0.4 });
  return lines;
}

/**
 * @param {TourMap} map
 * @param {Lane} lane
 * @param {number} clock
 */
function draw(map, lane, clock) {
  const panel = panels[lane.number];
  const moment = lane.moment(clock);
  const { best, work } = moment;
  const key = [lane.run, best?.length, Boolean(moment.order), work?.number, raceDiffer.key()].join();
  const painter = painterOf(panel);
  if (key === panel.shown || !painter.draw(linesOf(map, lane, moment, painter.fit()))) return;
  panel.shown = key;
  count(panel, [moment.order, work?.order]);
  text(lane.number, "length", best ? format.integer(best.length) : "");
  const { optimum, proven } = race;
  text(lane.number, "gap", best ? format.gapSentence(best.length, optimum, proven) : "");
  part(lane.number, "gap").dataset.kind = !best || !optimum ? "open" : best.length <= optimum ? "optimal" : "above";
}

/**
 * Count a picture, where a tour is another one: the same with another number beside it is none.
 * @param {Panel} panel
 * @param {Panel["seen"]} tours
 */
function count(panel, tours) {
  if (tours.some((tour, k) => tour !== panel.seen[k])) panel.stats.drawn();
  panel.seen = tours;
}

/**
 * How a lane stands, in words.
 * @param {Lane} lane
 * @param {number} clock
 */
function stateOf(lane, clock) {
  if (lane.state === "failed" || lane.state === "interrupted") return lane.reason || lane.state;
  if (lane.finished && clock >= lane.finished.seconds) return `ended at ${format.seconds(lane.finished.seconds)}`;
  if (lane.over) return lane.finished ? "" : lane.state;
  if (!lane.started) return lane.compiling ? "compiling" : "getting ready";
  return "";
}

/** @param {RacePlayerState} player */
function onMoment({ clock }) {
  if (!race.instance || !map) return; // not told yet
  for (const lane of race.lanes) {
    draw(map, lane, clock);
    text(lane.number, "state", stateOf(lane, clock));
  }
}

on("race-moment", onMoment);
export const racePanels = { lay, linesOf, map: () => map, stats: () => panels.map(({ stats }) => stats) };
