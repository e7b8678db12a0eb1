/* Videos of a climb: its tours from the first to the last, move by move or edge by edge, as in the player. */
import { format } from "../../common/format.js";
import { formatLength } from "../../common/map/units.js";
import { cities } from "../../common/map/cities.js";
import { mapShape } from "../../common/map/map.js";
import { paintWhole } from "../../common/map/painter.js";
import { climbs } from "../climbs/climbs.js";
import { pictures } from "../player/pictures.js";
import { SLOW } from "../player/state.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";

/**
 * Return the progress of a climb at a moment: the number of moves finished or in progress, and whether the edges of the
 * last one are just leaving.
 * @param {number} count steps of the climb
 * @param {number} share
 * @param {number} seconds of the video
 */
function stepAt(count, share, seconds) {
  const clock = share * count;
  if (count > SLOW * seconds) return { at: Math.round(clock), leave: false };
  const at = Math.ceil(clock - 1e-9);
  return { at, leave: at > clock + 0.5 };
}

/**
 * Return the scene of a climb, null if the server has none.
 * @param {number} climber
 * @param {Pick<VideoScene, "name" | "head">} named
 * @returns {Promise<VideoScene | null>}
 */
export async function climbScene(climber, named) {
  const [map, cachedClimb] = [tour.map(), await climbs.find(climber)];
  if (!map || !cachedClimb) return null;
  const climb = cachedClimb.copy();
  const stride = climb.stride(map.directed);
  const count = climb.count / stride;
  const unit = run.units().iteration;
  const title = text("video.of", { unit: format.unit(unit), number: run.number(climber) });
  /** @param {number} share @param {number} seconds */
  const step = (share, seconds) => {
    const { at, leave } = stepAt(count, share, seconds);
    return { at, position: at * stride, leave, clean: share === 1 && climb.complete };
  };
  return {
    ...named,
    title,
    stills: true,
    shape: mapShape(map),
    async prepare() {},
    paint(pen, room, share, seconds) {
      const { position, leave, clean } = step(share, seconds);
      const lines = tour.pictureLines(map, pictures.fromClimb(climb, position, leave, clean, stride));
      paintWhole(pen, map, lines, cities.cityStyle(map), room);
    },
    caption(share, seconds) {
      const { at, position, leave } = step(share, seconds);
      const result = leave && climb.walk === "moves" ? position - stride : position; // a chosen edge is drawn at once
      const length = climb.lengths[result];
      const whole = climb.walk === "moves" || result === climb.count;
      return [
        title,
        text(climb.walk === "moves" ? "video.move" : "video.edge", { at, count }),
        text("picture.length", { length: formatLength(run.instance, length) }),
        whole ? run.describeQuality(length) : "",
      ];
    },
  };
}
