/*
 * One picture of a video: the background, the heading, the caption of the moment, and the moment drawn by the page's
 * own painters. Everything is laid out in pixels of the smallest size; a larger size is the same picture with more
 * pixels.
 */

/**
 * @typedef {{ width: number, height: number, scale: number }} Size a layout of `width` by `height` pixels, each of
 * which is `scale` pixels wide in the video
 */
/** @typedef {{ at: number, row: number }[]} Columns fixed positions of a caption's parts */

/**
 * The sizes of a video, by name.
 * @type {Record<string, Size>}
 */
export const SIZES = {
  "1280x720": { width: 1280, height: 720, scale: 1 },
  "1920x1080": { width: 1280, height: 720, scale: 1.5 },
  "1080x1080": { width: 720, height: 720, scale: 1.5 },
};
const FAMILY = "Inter";
const HEAD = `600 24px ${FAMILY}`;
const TEXT_FONT = `400 18px ${FAMILY}`;
const [SIDE, TOP, LINE, GAP] = [28, 20, 26, 28]; // pixels: side and top margins, line height, gap between parts
const SPACE = 6; // pixels between parts of one sentence
const LOOKS = 16; // moments at which captions are measured

/** Load the page's typeface, which a canvas does not request by itself. */
export const typeface = () => Promise.all([HEAD, TEXT_FONT].map((font) => document.fonts.load(font)));

/**
 * Make a canvas of a size, with a pen in pixels of the layout.
 * @param {Size} size
 */
export function makeCanvas({ width, height, scale }) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const pen = canvas.getContext("2d", { alpha: false });
  if (!pen) throw new Error("The browser does not draw.");
  pen.scale(scale, scale);
  return { canvas, pen };
}

/**
 * Return the positions of captions' parts: each part is as wide as its widest text, and the parts take as many lines as
 * they need. The parts of a sentence follow each other like words.
 * @param {CanvasRenderingContext2D} pen
 * @param {(share: number) => string[]} caption
 * @param {number} width
 * @returns {Columns}
 */
export function layOutColumns(pen, caption, width) {
  pen.font = TEXT_FONT;
  /** @type {number[]} */
  const widest = [];
  for (let look = 0; look <= LOOKS; look += 1) {
    caption(look / LOOKS).forEach((part, k) => {
      widest[k] = Math.max(widest[k] || 0, pen.measureText(part).width);
    });
  }
  let [at, row] = [SIDE, 0];
  const last = caption(1);
  return widest.map((wide, k) => {
    if (at > SIDE && at + wide > width - SIDE) [at, row] = [SIDE, row + 1];
    const place = { at, row };
    at += wide + (/[;.]$/.test(last[k] || "") ? SPACE : GAP);
    return place;
  });
}

/**
 * Paint one picture.
 * @param {CanvasRenderingContext2D} pen
 * @param {Size} size
 * @param {VideoScene} scene
 * @param {{ share: number, seconds: number, columns: Columns }} moment
 * @param {VideoPage["colour"]} colour
 */
function paintFrame(pen, { width, height }, scene, { share, seconds, columns }, colour) {
  pen.fillStyle = colour("panel");
  pen.fillRect(0, 0, width, height);
  Object.assign(pen, { textAlign: "left", textBaseline: "top", fillStyle: colour("ink"), font: HEAD });
  pen.fillText(scene.head, SIDE, TOP, width - 2 * SIDE);
  Object.assign(pen, { fillStyle: colour("mute"), font: TEXT_FONT });
  const first = TOP + LINE + 6;
  scene.caption(share, seconds).forEach((part, k) => {
    const { at, row } = columns[k] || { at: SIDE, row: 0 };
    pen.fillText(part, at, first + row * LINE, width - at - 8);
  });
  const rows = 1 + Math.max(0, ...columns.map(({ row }) => row));
  const above = first + rows * LINE + (rows > 1 ? SPACE : 0);
  pen.save();
  pen.translate(SIDE / 2, above);
  scene.paint(pen, { width: width - SIDE, height: height - above - SIDE / 2 }, share, seconds);
  pen.restore();
}

/**
 * Make a painter for a video's pictures on one canvas, all in one theme and layout.
 * @param {VideoScene} scene prepared scene
 * @param {Size} size
 * @param {string} theme
 * @param {number} seconds
 * @param {VideoPage} page
 */
export function makePainter(scene, size, theme, seconds, { colour, inTheme }) {
  const { canvas, pen } = makeCanvas(size);
  const columns = layOutColumns(pen, (share) => scene.caption(share, seconds), size.width);
  /** @param {number} share */
  const paint = (share) => inTheme(theme, () => paintFrame(pen, size, scene, { share, seconds, columns }, colour));
  return { canvas, paint };
}
