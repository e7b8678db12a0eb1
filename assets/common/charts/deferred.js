/* Charts that Plotly draws once they become visible; a newer figure replaces a waiting one. */
import { loadPlotly } from "./graph.js";

const CONFIG = { displayModeBar: false, displaylogo: false, responsive: true, showTips: false };

/**
 * @param {(figure: Figure, place: Element) => Figure} complete changes a figure just before it is drawn
 * @param {(figure: Figure, element: any) => void} [drawn] called afterwards
 * @param {() => Promise<any>} [load] loads Plotly
 */
export function makeDeferredCharts(complete, drawn, load = loadPlotly) {
  /** @type {Map<Element, Figure>} */
  const waiting = new Map(); // by place

  /** @param {Element} place */
  async function draw(place) {
    const Plotly = await load();
    const figure = waiting.get(place);
    if (!figure || !waiting.delete(place) || !place.isConnected) return;
    const { data, layout } = complete(figure, place);
    const element = place.firstElementChild || place.appendChild(document.createElement("div"));
    await Plotly.react(element, data, layout, CONFIG);
    drawn?.(figure, element);
  }

  const visibility = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting && waiting.has(target)) draw(target);
    },
    { rootMargin: "200px", scrollMargin: "200px" },
  );
  // Printing needs all charts, although most are not visible.
  window.addEventListener("beforeprint", () => [...waiting.keys()].forEach(draw));

  /** @param {Element} place */
  function forget(place) {
    visibility.unobserve(place);
    waiting.delete(place);
  }
  return {
    forget,
    /**
     * Draw a figure in its place, now or when it becomes visible.
     * @param {Element} place
     * @param {Figure} figure
     */
    plot(place, figure) {
      forget(place); // a newly observed element reports whether it is visible
      waiting.set(place, figure);
      visibility.observe(place);
    },
    /**
     * Draw a figure at once.
     * @param {Element} place
     * @param {Figure} figure
     */
    plotNow(place, figure) {
      waiting.set(place, figure);
      return draw(place);
    },
  };
}
