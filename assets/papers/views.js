/* The views of a chart, and whether its axes are logarithmic. */
import { element } from "../common/elements.js";
import { charts } from "./charts.js";
import { text } from "./texts.js";

/**
 * Return a figure with the requested logarithmic axes, where possible.
 * @param {Figure} figure
 * @param {Record<"x" | "y", boolean>} log
 */
function onAxes(figure, log) {
  const layout = { ...figure.layout };
  for (const axis of /** @type {const} */ (["x", "y"])) {
    const own = layout[`${axis}axis`];
    if (own?.type !== "log" || log[axis]) continue;
    const { tickvals: _, ...rest } = own;
    layout[`${axis}axis`] = { ...rest, type: "linear" };
  }
  return { ...figure, layout };
}

/**
 * Return the choices above a chart that supports logarithmic axes: its view, and a switch for each of these axes.
 * @param {PaperEntry} entry
 * @param {HTMLElement} canvas element for the chart
 */
export function views({ title, views: details, figure }, canvas) {
  if (!figure) return null;
  const figures = details.length ? details.map((view) => view.figure) : [figure];
  const logged = /** @type {("x" | "y")[]} */ (["x", "y"]).filter(
    (axis) => figure.layout[`${axis}axis`]?.type === "log",
  );
  if (figures.length < 2 && !logged.length) return null;
  const select = element("select.form-select", { "aria-label": text("view.label", { title }) });
  select.append(...details.map(({ label }, k) => element("option", { value: k }, label)));
  const boxes = logged.map((axis) => ({ axis, box: element("input", { type: "checkbox", checked: true }) }));
  const show = () => {
    const log = { x: false, y: false };
    for (const { axis, box } of boxes) log[axis] = box.checked;
    charts.plot(canvas, onAxes(figures[Number(select.value) || 0], log));
  };
  select.addEventListener("change", show);
  for (const { box } of boxes) box.addEventListener("change", show);
  const labels = boxes.map(({ axis, box }) => element("label", box, text(`view.log.${axis}`)));
  return element("div.paper-views", details.length ? select : null, ...labels);
}
