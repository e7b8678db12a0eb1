/* Charts for who does not see them, and for who wants their numbers: in words, and as CSV. */
import { setText, throttle, when } from "../dom.js";
import { graph } from "./graph.js";
import { download } from "../download.js";

const EVERY = 2000; // milliseconds between two descriptions of a chart at least
const DIGITS = 6;

const number = (value) => (typeof value === "number" ? String(Number(value.toPrecision(DIGITS))) : String(value));
const isThere = (value) => value !== null && value !== undefined && !Number.isNaN(value);

/** The points of a trace that are shown, [[x, y], ...]. */
function pointsOf({ x, y }) {
  return Array.from(x || [], (at, k) => [at, y[k]]).filter((point) => point.every(isThere));
}

/** The traces that show something, with a name each. */
function tracesOf({ data }) {
  const all = data.map((trace, k) => ({
    name: trace.name || `line ${k + 1}`,
    visible: trace.visible,
    points: pointsOf(trace),
  }));
  return all.filter(({ visible, points }) => visible !== false && points.length);
}

function sentence({ name, points }) {
  const [first, last] = [points[0], points[points.length - 1]].map((point) => point.map(number));
  if (points.length === 1) return `${name}: ${first[1]} at ${first[0]}.`;
  const heights = points.map(([, y]) => y).filter((y) => typeof y === "number");
  const lowest = heights.reduce((least, y) => Math.min(least, y), Infinity);
  return `${name}: ${points.length} points, from ${first[1]} at ${first[0]} to ${last[1]} at ${last[0]}, ${number(lowest)} at least.`;
}

/** A chart in words: of each line where it begins, where it ends, and how low it comes. */
const words = (element) => tracesOf(element).map(sentence).join(" ") || "Nothing is shown yet.";

const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The numbers that a chart shows, as CSV: a row a point. */
function csv(element) {
  const rows = tracesOf(element).flatMap(({ name, points }) => points.map((point) => [name, ...point]));
  return ["line,x,y", ...rows.map((row) => row.map((value) => cell(String(value))).join()), ""].join("\r\n");
}

function save({ csv: id, name }) {
  const element = graph(id);
  if (!element) return;
  const address = URL.createObjectURL(new Blob([csv(element)], { type: "text/csv" }));
  download(address, `${name}.csv`);
  window.setTimeout(() => URL.revokeObjectURL(address), 60000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-csv]");
  if (button) save(button.dataset);
});

when(
  () => document.querySelector("[data-says]"),
  () => {
    for (const place of document.querySelectorAll("[data-says]")) {
      const id = place.dataset.says;
      when(
        () => graph(id),
        (element) => {
          const describe = throttle(() => setText(place.id, words(element)), EVERY);
          element.on("plotly_afterplot", describe);
          describe();
        },
      );
    }
  },
);

export const chartData = { words, csv };
