/*
 * A view other than the tour that is a map. Its canvas is repainted when the map changes and whenever the view is
 * shown.
 */
import { byId, when } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { cities } from "../../common/map/cities.js";
import { lens } from "../../common/map/lens.js";
import { makePainter } from "../../common/map/painter.js";
import { views } from "../views.js";
import { tour } from "./tour.js";

/**
 * @param {string} view name of the view and id of its canvas
 * @param {(map: TourMap) => PaintedLine[]} lines
 * @returns {() => void} paints the view again, if it is shown
 */
export function makeMapView(view, lines) {
  /** @type {ReturnType<typeof makePainter> | null} */
  let painter = null;

  function draw() {
    const map = tour.map();
    if (map && views.isShown(view)) painter?.draw(lines(map));
  }

  function show() {
    const map = tour.map();
    if (map) painter?.show(map);
    draw();
  }

  when(
    () => byId(view),
    (canvas) => {
      lens.attach(canvas);
      painter = makePainter(canvas, cities.cityStyle, lens);
      show();
    },
  );
  on("map", show);
  on("viewed", draw);
  return draw;
}
