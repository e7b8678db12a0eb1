/* Parts of figures that are remade on every change: the layout, the text above each part, and lines across it. */
import { findGraph } from "../../common/charts/graph.js";
import { colour, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { views } from "../views.js";

const GAP = "&nbsp;&nbsp;&nbsp;"; // between the parts of a line
const TENTH = 100; // milliseconds: a view changes at most ten times a second

/**
 * Manage the figure of a view: while the view is shown, the figure is redrawn at once or soon. In files, its width may
 * differ.
 * @param {string} id of the view and of its chart
 * @param {(element: any, width: number) => Figure | null} make makes the figure; null draws nothing
 */
export function makeRedrawn(id, make) {
  /**
   * @param {number} [width] in pixels, by default that on the screen
   * @returns {Figure | null}
   */
  function figure(width) {
    const element = findGraph(id);
    return element && make(element, width || element.clientWidth);
  }
  function draw() {
    const element = views.isShown(id) && findGraph(id);
    const plot = element && figure();
    if (plot) window.Plotly.react(element, plot.data, plot.layout);
  }
  const drawSoon = throttle(draw, TENTH);
  on("log", drawSoon);
  on("viewed", draw);
  on("theme", draw);
  on("charts", draw);
  window.addEventListener("resize", drawSoon);
  return { draw, drawSoon, figure };
}

/**
 * Return a copy of the layout of a Plotly element, in the colours of the current theme.
 * @param {any} element
 */
export function copyLayout(element) {
  const layout = structuredClone(element.layout);
  layout.separators = `${format.MARK}${format.THIN}`;
  layout.font = { ...layout.font, color: colour("mute") };
  for (const name of Object.keys(layout).filter((key) => key.includes("axis")))
    Object.assign(layout[name], { gridcolor: colour("line"), linecolor: colour("line") });
  return layout;
}

/**
 * Make the title of an axis.
 * @param {string} text
 */
export const makeAxisTitle = (text) => ({ text, font: { size: 11.5 } });

/**
 * Make the text above a part of the figure, with its upper left corner at (x, y).
 * @param {string[][]} lines
 * @param {number} x share of the width
 * @param {number} y share of the height
 */
export function makeText(lines, x, y) {
  const place = { xref: "paper", yref: "paper", x, y, xanchor: "left", yanchor: "bottom", yshift: 3, align: "left" };
  const font = { size: 12, color: colour("mute") };
  return { text: lines.map((line) => line.join(GAP)).join("<br>"), ...place, showarrow: false, font };
}

/**
 * Return a text that begins with a coloured sign.
 * @param {string} sign
 * @param {string} hue
 * @param {string} text
 */
export const addKey = (sign, hue, text) => `<span style="color:${colour(hue)}">${sign}</span> ${text}`;

/**
 * Make a vertical line across a part of the figure.
 * @param {number} at
 * @param {"" | "2"} axis number of the part's axes
 * @param {object} stroke
 */
export function makeVerticalLine(at, axis, stroke) {
  return { type: "line", xref: `x${axis}`, yref: `y${axis} domain`, x0: at, x1: at, y0: 0, y1: 1, line: stroke };
}
