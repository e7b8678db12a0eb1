/* A field of pheromone as a picture of a video: the page's image of it, its axes, and its scale. */
import { colour } from "../../common/dom.js";
import { format } from "../../common/format.js";
import { heat } from "../colony/heatmap.js";
import { ramp } from "../colony/scale.js";
import { clamp } from "../numbers.js";

const FONT = "400 13px Inter";
const [LEFT, FOOT, TOP] = [26, 26, 8]; // pixels to the left of the image, below it and above it
const [BAR, BESIDE, TICKS] = [14, 18, 84]; // width of the scale, of the space before it, and of its numbers, in pixels

/** Ratio of the sheet's height to its width. */
export const SHAPE = 0.9;

/** @type {HTMLCanvasElement | null} */
let blocks = null; // the image, one pixel for each block

/**
 * Paint the first and the last number of an axis, with its title between them.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} side of the image
 * @param {[string, string]} ends
 * @param {number} y
 */
function axis(pen, side, [first, last], y) {
  Object.assign(pen, { fillStyle: colour("mute"), font: FONT, textBaseline: "middle" });
  const words = /** @type {[string, CanvasTextAlign, number][]} */ ([
    [first, "left", 0],
    [heat.axisTitle(), "center", side / 2],
    [last, "right", side],
  ]);
  for (const [word, textAlign, x] of words) {
    pen.textAlign = textAlign;
    pen.fillText(word, x, y, 0.8 * side);
  }
}

/**
 * Paint the scale beside the image.
 * @param {CanvasRenderingContext2D} pen
 * @param {import("../colony/scale.js").Scale} scale
 * @param {boolean} log
 * @param {number} side
 */
function bar(pen, scale, log, side) {
  const ground = pen.createLinearGradient(0, side, 0, 0);
  const stops = ramp.stops();
  for (const [k, stop] of stops.entries()) ground.addColorStop(k / (stops.length - 1), stop);
  pen.fillStyle = ground;
  pen.fillRect(0, 0, BAR, side);
  Object.assign(pen, { fillStyle: colour("mute"), font: FONT, textAlign: "left", textBaseline: "middle" });
  for (const trail of ramp.ticks(scale, log))
    pen.fillText(format.measure(trail), BAR + 8, side * (1 - clamp(ramp.share(scale, trail, log), 0, 1)), TICKS);
}

/**
 * Paint a field into a space that begins at the pen's origin.
 * @param {CanvasRenderingContext2D} pen
 * @param {Room} room
 * @param {Frames["field"]} field
 * @param {import("../colony/scale.js").Scale} scale of all fields of the video
 */
export function paintSheet(pen, { width, height }, field, scale) {
  const side = Math.max(1, Math.min(height - FOOT - TOP, width - LEFT - BESIDE - BAR - TICKS));
  const image = heat.makeImage(field, scale);
  blocks ||= document.createElement("canvas");
  [blocks.width, blocks.height] = [image.width, image.height];
  blocks.getContext("2d")?.putImageData(image, 0, 0);
  const n = field.arrays.order.length;
  pen.save();
  pen.translate((width - side - LEFT - BESIDE - BAR - TICKS) / 2 + LEFT, TOP);
  pen.imageSmoothingEnabled = false; // blocks have sharp edges
  pen.drawImage(blocks, 0, 0, side, side);
  axis(pen, side, ["1", format.integer(n)], side + FOOT / 2 + 2);
  pen.save();
  pen.rotate(-Math.PI / 2); // reads upwards, towards the last city
  pen.translate(-side, 0);
  axis(pen, side, [format.integer(n), "1"], -FOOT / 2);
  pen.restore();
  pen.translate(side + BESIDE, 0);
  bar(pen, scale, heat.isLog(), side);
  pen.restore();
}
