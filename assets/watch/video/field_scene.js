/* Videos of a colony's pheromone: iteration by iteration, as a heatmap or as the strongest trails on the map. */
import { spaceIndices } from "../../common/charts/series.js";
import { cities } from "../../common/map/cities.js";
import { mapShape } from "../../common/map/map.js";
import { paintWhole } from "../../common/map/painter.js";
import { fields } from "../colony/pheromone_cache.js";
import { trails } from "../colony/trails.js";
import { bestAt } from "../player/iterations.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";
import { paintSheet, SHAPE } from "./heat_sheet.js";

/** @typedef {Frames["field"]} Field */

const MOST = 240; // maximum number of pictures to read, of about 100 kB each

/** @param {Field} field */
const differs = ({ values }) => values.high > values.low;

/**
 * Read fields of a run, evenly spaced over its iterations; the first ones, in which all trails are equal, are left out.
 * @param {number} most
 * @param {(share: number) => void} tell
 */
async function readFields(most, tell) {
  const iterations = [...fields.known()];
  /** @type {Field[]} */
  const pictures = [];
  const wanted = spaceIndices(iterations.length, Math.min(most, MOST));
  for (const [k, at] of wanted.entries()) {
    const picture = await fields.read(iterations[at]);
    if (picture) pictures.push(picture.field);
    tell((k + 1) / wanted.length);
  }
  const first = pictures.findIndex(differs);
  return first > 0 ? pictures.slice(first) : pictures;
}

/**
 * Return the common scale of all fields, so that a colour means the same trail in every picture.
 * @param {Field[]} fields
 */
const commonScale = (fields) => ({
  low: Math.min(...fields.map(({ values }) => values.low)),
  high: Math.max(...fields.map(({ values }) => values.high)),
});

/**
 * Return the scene of a run's pheromone, null without recorded pictures.
 * @param {"pheromone" | "trails"} view
 * @param {Pick<VideoScene, "name" | "head">} named
 * @returns {VideoScene | null}
 */
export function fieldScene(view, named) {
  const map = tour.map();
  if (!map || !fields.known().length) return null;
  /** @type {Field[]} */
  let visible = [];
  let scale = { low: 0, high: 0 };
  const title = text(`video.view.${view}`);
  const at = (/** @type {number} */ share) => visible[Math.round(share * (visible.length - 1))];
  return {
    ...named,
    title,
    stills: true,
    shape: view === "trails" ? mapShape(map) : SHAPE,
    async prepare(most, tell) {
      visible = await readFields(most, tell);
      if (!visible.length) throw new Error(text("video.unread"));
      scale = commonScale(visible);
    },
    paint(pen, room, share) {
      if (view === "pheromone") paintSheet(pen, room, at(share), scale);
      else paintWhole(pen, map, trails.lines(map, at(share)), cities.cityStyle(map), room);
    },
    caption(share) {
      const { iteration } = at(share).values;
      const length = bestAt(iteration);
      const best = length === null ? ["", ""] : [text("video.best", { length }), run.describeQuality(length)];
      return [title, text("video.iteration", { at: iteration }), ...best];
    },
  };
}
