/* The panels of a race: for each lane the best tour so far, the current one faintly, its length and its state. */
import { byId, replaceText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { edges } from "../common/map/edges.js";
import { format } from "../common/format.js";
import { formatLength } from "../common/map/units.js";
import { makeStats } from "../common/frame_stats.js";
import { root } from "../common/host/root.js";
import { makeMap, mapShape, stripStretch } from "../common/map/map.js";
import { makePainter } from "../common/map/painter.js";
import { visibleEdges } from "../common/map/thinning.js";
import { raceDiffer } from "./diff.js";
import { racePlayer } from "./player.js";
import { race } from "./state.js";
import { text } from "./texts.js";

const MAX_PANELS = 4;
const WIDE = 0.75; // height of a map, relative to its width
const SHARE = 0.32; // maximum diameter of a dot, relative to the spacing of evenly distributed cities
const DOTS = { least: 1, most: 4.5 };
/** @type {Partial<Record<RunState, string>>} */
const CUT = { cancelled: text("lane.cancelled"), failed: text("lane.failed"), interrupted: text("lane.interrupted") };

/** @type {TourMap | null} */
let map = null; // map of the instance in all panels

/** @type {Panel[]} */
const panels = Array.from({ length: MAX_PANELS }, () => ({ shown: "", seen: [], painter: null, stats: makeStats() }));

/**
 * Return the element of a panel; the page contains every panel from the start.
 * @param {number} number
 */
const element = (number) => /** @type {HTMLElement} */ (root().querySelector(`.lane[data-lane="${number}"]`));

/**
 * Return a part of a panel's head.
 * @param {number} number
 * @param {string} name
 */
const part = (number, name) => /** @type {HTMLElement} */ (element(number).querySelector(`.lane-${name}`));

/**
 * Return a dot for each city, as large as a map of this size allows.
 * @param {TourMap} map
 * @param {number} width
 * @param {number} height
 */
function cityLook(map, width, height) {
  const shape = mapShape(map);
  const whole = stripStretch(map, width, height) > 1; // a strip, stretched to fill the canvas
  const area = whole ? width * height : Math.min(width, height / shape) ** 2 * shape;
  return { size: Math.min(DOTS.most, Math.max(DOTS.least, SHARE * Math.sqrt(area / map.n))), ring: 0 };
}

/** @param {number} number */
function findPainter(number) {
  const canvas = /** @type {HTMLCanvasElement} */ (element(number).querySelector("canvas"));
  panels[number].painter ||= makePainter(canvas, cityLook);
  return panels[number].painter;
}

/**
 * Show panels without tours for the lanes of a race or of the form.
 * @param {LaneView[]} views
 * @param {Frames["instance"]} frame
 */
function prepare(views, frame) {
  map = makeMap(frame);
  emit("map", map);
  const { dataset } = byId("race-panels");
  dataset.lanes = String(views.length);
  dataset.wide = String(views.length === 2 && mapShape(map) < WIDE); // such maps are larger when stacked
  for (const number of panels.keys()) element(number).hidden = number >= views.length;
  for (const [number, { letter, title, facts, colour }] of views.entries()) {
    element(number).style.setProperty("--lane", `var(--${colour})`);
    element(number).setAttribute("aria-label", text("lane.name", { letter, title }));
    part(number, "title").title = facts;
    const texts = { badge: letter, title, length: "", gap: "", state: "" };
    for (const [name, shown] of Object.entries(texts)) replaceText(part(number, name), shown);
    findPainter(number).show(map);
    Object.assign(panels[number], { shown: "", stats: makeStats() });
  }
}

/**
 * Return a tour's line, thinned where it would become a blot.
 * @param {TourMap} map
 * @param {Order} order
 * @param {number} scale pixels for each unit of the map
 */
function thinLine(map, order, scale) {
  const { visible } = visibleEdges(map, order, scale);
  const cut = edges.findUndrawn(map, order);
  return visible ? edges.thinnedLine(map.xy, order, visible, cut) : edges.tourLine(map.xy, order, cut);
}

/**
 * Return the lines of a lane at a moment, from bottom to top.
 * @param {TourMap} map
 * @param {Lane} lane
 * @param {Moment} moment
 * @param {number} scale pixels for each unit of the map
 * @returns {DrawnLine[]}
 */
function laneLines(map, lane, moment, scale) {
  const { view, number } = lane;
  const { colour } = view;
  const isThin = map.n > 600;
  const differing = raceDiffer.edges(number);
  if (differing) {
    const [both, only] = [differing.both, differing.only].map((pairs) => edges.edgeLines(map.xy, pairs));
    return [
      { line: both, colour: "mute", width: 1, alpha: 0.7, arrows: map.directed },
      { line: only, colour, width: isThin ? 2 : 3.2, arrows: map.directed },
    ];
  }
  return laneTours(map, lane, moment, scale);
}

/**
 * Return the best tour of a lane at a moment, with the current one below it.
 * @param {TourMap} map
 * @param {Lane} lane
 * @param {Moment} moment
 * @param {number} scale pixels for each unit of the map
 */
function laneTours(map, { view: { colour } }, { order, work }, scale) {
  const isThin = map.n > 600;
  /** @type {DrawnLine[]} */
  const lines = order
    ? [{ line: thinLine(map, order, scale), colour, width: isThin ? 1 : 2, arrows: map.directed }]
    : [];
  if (work && work.order !== order)
    lines.unshift({ line: thinLine(map, work.order, scale), colour, width: 1, alpha: 0.4 });
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
  const painter = findPainter(lane.number);
  if (key === panel.shown || !painter.draw(laneLines(map, lane, moment, painter.fit()))) return;
  panel.shown = key;
  const tours = [moment.order, work?.order];
  if (tours.some((tour, k) => tour !== panel.seen[k])) panel.stats.drawn(); // another number of tours is a change, too
  panel.seen = tours;
  const { optimum, proven } = race;
  const gap = part(lane.number, "gap");
  replaceText(part(lane.number, "length"), best ? formatLength(race.instance?.values, best.length) : "");
  const uses = best ? format.missingSentence(best.length, map.missingWeight) : "";
  replaceText(gap, best ? uses || format.gapSentence(best.length, optimum, proven) : "");
  gap.dataset.kind = best && !uses && optimum !== null && best.length <= optimum ? "optimal" : "";
}

/**
 * Return the state of a lane, in words.
 * @param {Lane} lane
 * @param {number} clock
 */
function describeState(lane, clock) {
  const { finished, over, reason, state } = lane;
  if (reason && (state === "failed" || state === "interrupted")) return reason;
  if (finished && clock >= finished.seconds) return text("lane.ended", { at: format.seconds(finished.seconds) });
  if (over) return (!finished && CUT[state]) || "";
  return lane.started ? "" : text(lane.compiling ? "lane.compiling" : "lane.ready");
}

/**
 * Mark in a lane's badge and state whether it wins; called on every change of the clock.
 * @param {number} number
 * @param {boolean} isFirst
 * @param {boolean} isTied
 */
function mark(number, isFirst, isTied) {
  const value = isFirst ? (isTied ? "tied" : "first") : "";
  if ((element(number).dataset.place ?? "") === value) return;
  element(number).dataset.place = value;
  const lane = race.lanes[number];
  if (lane) sayState(lane, racePlayer.state.clock);
}

/**
 * @param {Lane} lane
 * @param {number} clock
 */
function sayState(lane, clock) {
  const state = describeState(lane, clock);
  const place = element(lane.number).dataset.place;
  const sentence = place ? text(place === "tied" ? "lane.tied" : "lane.first", { state }) : state;
  replaceText(part(lane.number, "state"), sentence);
}

/** @param {RacePlayerState} player */
function onMoment({ clock }) {
  if (!race.instance || !map) return; // the instance is not known yet
  for (const lane of race.lanes) {
    draw(map, lane, clock);
    sayState(lane, clock);
  }
}

on("race-moment", onMoment);
export const racePanels = {
  prepare,
  mark,
  laneLines,
  laneTours,
  cityLook,
  map: () => map,
  stats: () => panels.map(({ stats }) => stats),
};
