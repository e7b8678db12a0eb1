/* Videos of a race: all lanes side by side, each at the same second of its own clock. */
import { colour } from "../../common/dom.js";
import { format } from "../../common/format.js";
import { mapShape } from "../../common/map/map.js";
import { paintWhole } from "../../common/map/painter.js";
import { cellsIn } from "../../common/video/cells.js";
import { raceEnding } from "../ending/finish.js";
import { racePanels } from "../panels.js";
import { racePlayer } from "../player.js";
import { race } from "../state.js";
import { text } from "../texts.js";

const NAME = "600 17px Inter";
const TEXT_FONT = "400 15px Inter";
const LINE = 22; // pixels of a line of text above a map
const PIXELS = { gap: 20, head: 2 * LINE + 4 };
const SIDE = 14; // pixels on both sides, so that names are aligned with the captions

/**
 * Return the result of a lane at a moment: its best length, and the gap.
 * @param {Lane} lane
 * @param {number} seconds
 */
function formatResult(lane, seconds) {
  const { best } = lane.moment(seconds);
  if (!best) return "";
  const missing = format.missingSentence(best.length, racePanels.map()?.missingWeight ?? 0);
  const worth = missing || format.gapSentence(best.length, race.optimum, race.proven);
  return [format.integer(best.length), worth].filter(Boolean).join(" \u00b7 ");
}

/**
 * Paint a lane: its name and its result above its map.
 * @param {CanvasRenderingContext2D} pen
 * @param {Room} room
 * @param {TourMap} map
 * @param {Lane} lane
 * @param {number} seconds
 */
function paintLane(pen, { width, height }, map, lane, seconds) {
  const { letter, title, colour: hue } = lane.view;
  Object.assign(pen, { textAlign: "left", textBaseline: "top", fillStyle: colour(hue), font: NAME });
  pen.fillText(`${letter} ${title}`, 0, 0, width);
  Object.assign(pen, { fillStyle: colour("mute"), font: TEXT_FONT });
  pen.fillText(formatResult(lane, seconds), 0, LINE, width);
  pen.translate(0, PIXELS.head);
  const room = { width, height: height - PIXELS.head };
  const lines = racePanels.laneTours(map, lane, lane.moment(seconds), 0);
  paintWhole(pen, map, lines, racePanels.cityLook(map, room.width, room.height), room);
}

/**
 * Return the scene of the shown race, up to now if it is running; null if no race is shown.
 * @param {Pick<VideoScene, "name" | "head">} named
 * @returns {VideoScene | null}
 */
export function raceScene(named) {
  const map = racePanels.map();
  const { lanes } = race;
  const end = racePlayer.duration();
  if (!map || !lanes.some((lane) => lane.moment(end).order)) return null;
  const title = text(race.compared ? "picture.compared" : "picture.race");
  const ending = raceEnding.whole().split(/(?<=[;.]) /); // in parts, since one line has no room for all
  return {
    ...named,
    title,
    stills: false,
    shape: mapShape(map),
    async prepare() {},
    paint(pen, room, share) {
      const inner = { width: room.width - 2 * SIDE, height: room.height };
      cellsIn(lanes.length, inner, mapShape(map), PIXELS).forEach(({ x, y, width, height }, k) => {
        pen.save();
        pen.translate(SIDE + x, y);
        paintLane(pen, { width, height }, map, lanes[k], share * end);
        pen.restore();
      });
    },
    caption: (share) => [
      text("picture.moment", { seconds: format.seconds(share * end) }),
      ...(share === 1 ? ending : []),
    ],
  };
}
