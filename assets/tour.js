/* Draws tours on their Plotly graph: the only script that touches its traces. */
(function (TourScope) {
  "use strict";

  const TRACE = { optimal: 0, tour: 1, removed: 2, added: 3, cities: 4 };
  const EMPTY = { x: [], y: [] };
  const OPTIMAL = "#b8860b"; // where the style sheet has no colour of its own for it

  let map = null; // the instance that is shown
  let optimalShown = false;
  let thinned = null; // the tour of which only a part is painted
  let fitted = null; // the graph's size for which the whole map was last shown; null while somebody has moved it
  let drawn = { tour: EMPTY, removed: EMPTY, added: EMPTY };

  const graph = () => TourScope.graph("tour");

  function frameOfMap() {
    return {
      "xaxis.range": [map.box.x0, map.box.x1],
      "xaxis.autorange": false,
      "yaxis.range": [map.box.y0, map.box.y1],
      "yaxis.autorange": false,
      "yaxis.scaleanchor": "x",
      "yaxis.scaleratio": map.ratio,
    };
  }

  /** Lines of at most one pixel are drawn five to fifteen times as fast as wider ones in software. */
  function width() {
    return map.n <= 250 ? 2 : map.n <= 600 ? 1.5 : 1;
  }

  function colours() {
    const names = ["optimal", "tour", "removed", "added"];
    const slim = map.n > 600;
    return {
      "line.color": names.map((name) => TourScope.colour(name) || OPTIMAL),
      "line.width": [slim ? 1 : 5, width(), slim ? 2 : 2.5, slim ? 3 : 4],
    };
  }

  /** Everything but the tour, after another instance, another theme or another size of the page. */
  function dress() {
    const element = graph();
    if (!element || !map) return;
    TourScope.own(element);
    window.Plotly.restyle(element, colours(), [0, 1, 2, 3]);
    TourScope.cities.show(element, map);
    optimal();
  }

  function optimal() {
    const line = optimalShown && map && map.optimalTour ? TourScope.edges.tourLine(map.xy, map.optimalTour) : EMPTY;
    window.Plotly.restyle(TourScope.own(graph()), { x: [line.x], y: [line.y] }, [TRACE.optimal]);
  }

  const sizeOf = (element) => [element._fullLayout.width, element._fullLayout.height].join();

  function fit() {
    const element = graph();
    if (!map || !element) return;
    fitted = sizeOf(element);
    window.Plotly.relayout(TourScope.own(element), frameOfMap());
  }

  /** The whole map again on a graph of another size: Plotly alone widens its ranges each time, and never back. */
  function refit() {
    if (fitted !== null && fitted !== sizeOf(graph())) fit();
  }

  /** Show the cities of an instance, and no tour; cities that stand there already stay. */
  function showInstance(frame) {
    const known = map && map.id && map.id === frame.values.sha256 && graph();
    if (!known) map = TourScope.mapOf(frame);
    drawn = { tour: EMPTY, removed: EMPTY, added: EMPTY };
    thinned = null;
    TourScope.emit("map", map);
    if (known) {
      put();
      return;
    }
    const mine = map;
    TourScope.when(graph, (element) => {
      if (mine !== map) return;
      watch(element);
      put();
      fit();
      dress();
    });
  }

  function watch(element) {
    for (const event of ["plotly_doubleclick", "plotly_relayouting", "plotly_afterplot"]) element.removeAllListeners(event);
    element.on("plotly_doubleclick", () => window.requestAnimationFrame(fit));
    element.on("plotly_relayouting", () => (fitted = null));
    element.on("plotly_afterplot", () => window.requestAnimationFrame(refit));
  }

  function put() {
    const { tour, removed, added } = drawn;
    const lines = { x: [tour.x, removed.x, added.x], y: [tour.y, removed.y, added.y] };
    window.Plotly.restyle(TourScope.own(graph()), lines, [TRACE.tour, TRACE.removed, TRACE.added]);
  }

  /** A tour's line, thinned where it would be a blot. */
  function lineOf(order, cut) {
    const scale = graph()._fullLayout._size.w / (map.box.x1 - map.box.x0);
    const visible = TourScope.visibleEdges(map, order, scale);
    thinned = visible ? { order, cut } : null;
    return visible ? TourScope.edges.thinnedLine(map.xy, order, visible, cut) : TourScope.edges.tourLine(map.xy, order, cut);
  }

  /**
   * Draw a tour (or the edges of a construction) with the move that is being made. Nothing is drawn before the graph
   * is there.
   * @param {Object} picture {order, cut} or {pairs, count}; removed and added: flat pairs of cities
   * @returns {boolean} whether it was drawn
   */
  function draw({ order, cut, pairs, count, removed = [], added = [] }) {
    if (!map || !graph()) return false;
    const { edgeLines, pathLines } = TourScope.edges;
    thinned = null;
    drawn = {
      tour: order ? lineOf(order, cut) : pathLines(map.xy, pairs, count),
      removed: edgeLines(map.xy, removed),
      added: edgeLines(map.xy, added),
    };
    put();
    return true;
  }

  /** The traces with every edge of the tour, for a picture that is kept; the last one is that of the cities. */
  function wholeTraces() {
    const traces = graph().data;
    if (!thinned) return traces;
    const line = TourScope.edges.tourLine(map.xy, thinned.order, thinned.cut);
    return traces.map((trace, k) => (k === TRACE.tour ? { ...trace, ...line } : trace));
  }

  /** Lay the optimal tour below, or take it away. */
  function showOptimal(shown) {
    optimalShown = shown;
    if (map && graph()) optimal();
  }

  TourScope.tour = {
    showInstance,
    draw,
    showOptimal,
    wholeTraces,
    isThinned: () => Boolean(thinned),
    map: () => map,
  };
  TourScope.on("theme", dress);
})((window.TourScope = window.TourScope || {}));
