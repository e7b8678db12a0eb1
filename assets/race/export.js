/* Saving a race: the page makes pictures and tables, and the server makes the animation and the file. */
import { fetchAnimation } from "../common/saving/animation.js";
import { basePath, colour } from "../common/dom.js";
import { on } from "../common/events.js";
import { show } from "../common/faults.js";
import { download, downloadCsv, fileName, plain } from "../common/saving/download.js";
import { format } from "../common/format.js";
import { mapShape } from "../common/map/map.js";
import { linesOn } from "../common/map/painter.js";
import { pictures } from "../common/saving/pictures.js";
import { openVideo } from "../common/video/opener.js";
import { raceChart } from "./chart.js";
import { raceDiffer } from "./diff.js";
import { raceEnding } from "./ending/finish.js";
import { race } from "./state.js";
import { racePanels } from "./panels.js";
import { racePlayer } from "./player.js";
import { text } from "./texts.js";
import { raceScene } from "./video/scene.js";

const WIDTH = 1400;
const GAP = 24;
const HEAD = 46; // pixels above a lane's map, for its name and result
const CHART = { height: 380, left: 88, right: 40, foot: 108 };

/**
 * Return the height of a picture of `count` lanes, and a function for the position of each lane's map; three maps share
 * one row, any other number is in rows of two.
 * @param {number} count
 * @param {TourMap} map
 */
export function grid(count, map) {
  const columns = count === 3 ? 3 : 2;
  const wide = (WIDTH - (columns + 1) * GAP) / columns;
  const high = Math.max(220, Math.min(700, wide * mapShape(map)));
  const rows = Math.ceil(count / columns);
  const chart = CHART.height + CHART.foot;
  const height = rows * (high + HEAD + GAP) + GAP + chart;
  /**
   * @param {number} k
   * @returns {Cell}
   */
  const cell = (k) => {
    const [row, column] = [Math.floor(k / columns), k % columns];
    return { x: GAP + column * (wide + GAP), y: chart + GAP + (rows - 1 - row) * (high + HEAD + GAP), wide, high };
  };
  return { height, cell };
}

/**
 * Return the axes of a map in its cell.
 * @param {number} k
 * @param {Cell} cell
 * @param {number} height
 * @param {TourMap} map
 */
function mapAxes(k, { x, y, wide, high }, height, { box, ratio }) {
  const hidden = { visible: false, showgrid: false, zeroline: false, fixedrange: true };
  const across = { anchor: `y${k + 2}`, domain: [x / WIDTH, (x + wide) / WIDTH], range: [box.x0, box.x1] };
  const up = { anchor: `x${k + 2}`, domain: [y / height, (y + high) / height], range: [box.y0, box.y1] };
  const scale = { scaleanchor: `x${k + 2}`, scaleratio: ratio };
  return { [`xaxis${k + 2}`]: { ...hidden, ...across }, [`yaxis${k + 2}`]: { ...hidden, ...up, ...scale } };
}

/**
 * Return a lane's tours and cities as traces on its own axes, with every edge.
 * @param {Lane} lane
 * @param {number} k
 * @param {TourMap} map
 */
function mapTraces(lane, k, map) {
  const axes = { xaxis: `x${k + 2}`, yaxis: `y${k + 2}`, hoverinfo: "skip" };
  const moment = lane.moment(racePlayer.state.clock);
  const painted = linesOn(map, racePanels.laneLines(map, lane, moment, 0));
  const lines = painted.map(({ line, colour: hue, width, alpha = 1 }) => ({
    ...axes,
    x: line.x,
    y: line.y,
    mode: "lines",
    opacity: alpha,
    line: { color: colour(hue), width },
    showlegend: false,
  }));
  const size = Math.max(2, Math.min(6, 90 / Math.sqrt(map.n)));
  /** @param {number} part 0 for x, 1 for y */
  const at = (part) => Array.from({ length: map.n }, (_, c) => map.xy[2 * c + part]);
  return [
    ...lines,
    { ...axes, x: at(0), y: at(1), mode: "markers", marker: { size, color: colour("ink") }, showlegend: false },
  ];
}

/**
 * Make words in the picture that begin at a position, in pixels from the lower left corner.
 * @param {string[]} parts
 * @param {[number, number]} place
 * @param {number} height of the picture
 * @param {{ size: number, color: string }} font
 */
function makeCaption(parts, [x, y], height, font) {
  const place = { xref: "paper", yref: "paper", x: x / WIDTH, y: y / height, xanchor: "left", yanchor: "bottom" };
  return { text: parts.join(" \u00b7 "), align: "left", showarrow: false, ...place, font };
}

/**
 * Return the heading of a lane's map.
 * @param {Lane} lane
 * @param {Cell} cell
 * @param {number} height
 */
function caption(lane, { x, y, wide, high }, height) {
  const { view } = lane;
  const best = lane.best(racePlayer.state.clock);
  const result = best ? [format.integer(best.length), format.gapSentence(best.length, race.optimum, race.proven)] : [];
  const name = `<b>${view.letter} ${plain(view.title)}</b>`;
  const first = raceEnding.first();
  const place = first.includes(lane.number) ? [text(first.length > 1 ? "picture.tied" : "picture.first")] : [];
  const narrow = wide < WIDTH / 3;
  const font = { size: narrow ? 15 : 17, color: colour(view.colour) };
  const parts = narrow ? [[name, result[0] ?? ""].join("<br>"), ...result.slice(1)] : [name, ...result];
  return makeCaption([...parts, ...place], [x, y + high + (narrow ? 4 : 14)], height, font);
}

/**
 * Make a legend entry for lines on the maps, in a neutral colour.
 * @param {string} name
 * @param {number} width of its line
 * @param {number} [opacity]
 */
const key = (name, width, opacity = 1) => ({
  ...{ x: [null], y: [null], mode: "lines", name, opacity },
  line: { color: colour("ink"), width },
});

/** Return the legend's entries other than the lanes. */
function keys() {
  const marker = { size: 6, color: colour("ink") };
  const city = { x: [null], y: [null], mode: "markers", name: text("picture.city"), marker };
  if (race.lanes.some(({ number }) => raceDiffer.edges(number)))
    return [key(text("legend.only"), 3.2), key(text("legend.both"), 1, 0.7), city];
  return [key(text("legend.best"), 2.2), key(text("legend.current"), 1, 0.4), city];
}

/** Return the caption of the race's picture. */
function title() {
  const { instance, optimum, proven, compared, seed } = race;
  const known = optimum === null ? [] : [text(proven ? "picture.optimum" : "picture.best-known", { length: optimum })];
  const details = [text("picture.moment", { seconds: format.seconds(racePlayer.state.clock) }), ...known];
  if (seed !== null) details.push(text("picture.seed", { seed: String(seed) }));
  details.push(plain(raceEnding.sentence()));
  const name = plain(instance?.values.name || "");
  return { head: [`<b>${name}</b>`, text(compared ? "picture.compared" : "picture.race")], details };
}

/**
 * Return the race at the shown moment, as one Plotly figure.
 * @param {Figure} chart figure of the page's chart
 * @param {TourMap} map
 * @returns {Figure}
 */
function figure(chart, map) {
  const { lanes } = race;
  const { height, cell } = grid(lanes.length, map);
  const layout = structuredClone(chart.layout);
  const margin = { l: 0, r: 0, t: 0, b: 0 };
  Object.assign(layout, { showlegend: true, margin });
  Object.assign(layout.xaxis, { automargin: false, domain: [CHART.left / WIDTH, 1 - CHART.right / WIDTH] });
  Object.assign(layout.yaxis, {
    automargin: false,
    domain: [(CHART.foot + 26) / height, (CHART.foot + CHART.height) / height],
  });
  lanes.forEach((_, k) => Object.assign(layout, mapAxes(k, cell(k), height, map)));
  layout.annotations.push(...lanes.map((lane, k) => caption(lane, cell(k), height)));
  const data = [...chart.data, ...keys(), ...lanes.flatMap((lane, k) => mapTraces(lane, k, map))];
  return pictures.addTitle({ data, layout }, title(), { width: WIDTH, height });
}

/**
 * @param {TourMap} map
 * @param {"png" | "svg"} format
 * @param {string} name of the file, without its extension
 */
async function picture(map, format, name) {
  const { width, scale } = pictures.size(document.querySelector(".race-stage")?.clientWidth || 0, WIDTH);
  await pictures.saveFigure(format, name, { width, scale: (scale * width) / WIDTH }, () => {
    const chart = raceChart.figure();
    return chart && figure(chart, map);
  });
}

/**
 * Save the improvements of each lane as CSV.
 * @param {string} name of the file
 */
function table(name) {
  const rows = race.lanes.flatMap(({ view, bests: [iterations, evaluations, seconds, lengths] }) =>
    lengths.map((length, k) => {
      const gap = format.gapPercent(length, race.optimum);
      return [view.letter, view.title, seconds[k], iterations[k], evaluations[k], length, gap?.toFixed(4)];
    }),
  );
  const head = ["lane", "algorithm", "seconds", "iterations", "evaluations", "length", "gap_percent"];
  downloadCsv([head, ...rows], name);
}

/**
 * Open the video dialog for the race.
 * @param {string} name of the file, without its extension
 */
async function video(name) {
  const head = [race.instance?.values.name || "", text(race.compared ? "picture.compared" : "picture.race")];
  const scene = raceScene({ name, head: head.join(" \u00b7 ") });
  if (scene) await openVideo(scene, "video", () => save("gif"));
  else show(text("video.none"));
}

/** @param {string} kind "png", "svg", "gif", "video", "csv" or "file" */
async function save(kind) {
  const { id, compared } = race;
  const map = racePanels.map();
  if (!id || !race.instance || !map) return;
  const name = fileName(map.name, compared ? "compared" : "race");
  const gif = compared ? `compared.gif?runs=${encodeURIComponent(id)}` : `races/${id}/race.gif`; // runs without a race id
  if (kind === "png" || kind === "svg") await picture(map, kind, name);
  else if (kind === "video") await video(name);
  else if (kind === "csv") table(`${name}.csv`);
  else if (kind === "gif") {
    const joined = compared ? "&" : "?";
    await fetchAnimation("save-gif", `${basePath()}${gif}${joined}${pictures.query()}`, `${name}.gif`);
  } else download(`${basePath()}races/${id}/race.tourrace`, `${name}.tourrace`);
}

on("save", save);
