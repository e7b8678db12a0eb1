/* A sheet with moments of a climb side by side, under a title, with a caption below each moment. */
import { download } from "../common/saving/download.js";
import { cellsIn } from "../common/video/cells.js";
import { makeCanvas } from "./frame.js";

const FAMILY = "Inter";
const HEAD = `600 22px ${FAMILY}`;
const TEXT_FONT = `400 14px ${FAMILY}`;
const [SIDE, TOP, LINE, GAP] = [24, 18, 18, 14]; // pixels: side margin, top margin, height of a line, gap between cells

/** @typedef {import("./frame.js").Size} Size */

/**
 * Return the shown moments: the first, the last, and others evenly spaced between them.
 * @param {number} count
 */
export const evenShares = (count) => Array.from({ length: count }, (_, k) => k / (count - 1));

/**
 * Break the parts of a caption into two lines of a cell's width.
 * @param {CanvasRenderingContext2D} pen
 * @param {string[]} parts
 * @param {number} width
 */
function breakLines(pen, parts, width) {
  const filled = parts.filter(Boolean);
  const whole = filled.join(" \u00b7 ");
  if (filled.length < 2 || pen.measureText(whole).width <= width) return [whole];
  return [filled[0], filled.slice(1).join(" \u00b7 ")];
}

/**
 * Paint a sheet of moments.
 * @param {VideoScene} scene
 * @param {Size} size
 * @param {number} count
 * @param {VideoPage["colour"]} colour
 */
export function paintSheet(scene, size, count, colour) {
  const { canvas, pen } = makeCanvas(size);
  const { width, height } = size;
  pen.fillStyle = colour("panel");
  pen.fillRect(0, 0, width, height);
  Object.assign(pen, { textAlign: "left", textBaseline: "top", fillStyle: colour("ink"), font: HEAD });
  pen.fillText([scene.head, scene.title].join(" \u00b7 "), SIDE, TOP, width - 2 * SIDE);
  const above = TOP + 2 * LINE + 6;
  const room = { width: width - 2 * SIDE, height: height - above - SIDE / 2 };
  const cells = cellsIn(count, room, scene.shape, { gap: GAP, head: 2 * LINE });
  evenShares(count).forEach((share, k) => {
    const cell = cells[k];
    pen.save();
    pen.translate(SIDE + cell.x, above + cell.y);
    Object.assign(pen, { fillStyle: colour("mute"), font: TEXT_FONT });
    const sentence = scene.caption(share, 0).slice(1); // without the first part, the climb, which the title names
    breakLines(pen, sentence, cell.width).forEach((line, row) => pen.fillText(line, 0, row * LINE, cell.width));
    pen.translate(0, 2 * LINE);
    scene.paint(pen, { width: cell.width, height: cell.height - 2 * LINE }, share, 0);
    pen.restore();
  });
  return canvas;
}

/**
 * Save a sheet of moments as a PNG.
 * @param {VideoScene} scene prepared scene
 * @param {Size} size
 * @param {string} theme
 * @param {number} count
 * @param {VideoPage} page
 */
export async function saveMoments(scene, size, theme, count, { colour, inTheme }) {
  const canvas = inTheme(theme, () => paintSheet(scene, size, count, colour));
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  download(URL.createObjectURL(blob), `${scene.name}-moments.png`, true);
}
