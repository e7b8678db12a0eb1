/* Cities on the tour's graph: markers of a trace while there are few, one picture painted once where there are many. */
(function (TourScope) {
  "use strict";

  const MOST_MARKERS = 600; // each costs 15 µs at every change of the tour, a picture of all nothing
  const PIXELS = 2; // of the picture, for each of the screen's: still sharp when somebody zooms in
  const TRACE = 4;

  /** Diameter of a city, in pixels. */
  function size(n) {
    if (n <= 60) return 8;
    if (n <= 250) return 6.5;
    if (n <= MOST_MARKERS) return 5;
    return n <= 3000 ? 3.2 : n <= 8000 ? 2.2 : 1.6;
  }

  /** Restyle of the trace of cities. */
  function markers(map) {
    const few = map.n <= MOST_MARKERS;
    const x = few ? Array.from({ length: map.n }, (_, c) => map.xy[2 * c]) : [];
    const y = few ? Array.from({ length: map.n }, (_, c) => map.xy[2 * c + 1]) : [];
    const ring = map.n <= 250 ? 1.6 : 1;
    return {
      x: [x],
      y: [y],
      "marker.size": size(map.n),
      "marker.color": TourScope.colour("panel"),
      "marker.line.color": TourScope.colour("ink"),
      "marker.line.width": ring,
    };
  }

  /** The picture of all cities, over the whole of the map, as one of Plotly's layout images. */
  function picture(map, width) {
    const { x0, x1, y0, y1 } = map.box;
    const scale = (PIXELS * width) / (x1 - x0);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round((x1 - x0) * scale));
    canvas.height = Math.max(1, Math.round((y1 - y0) * scale * map.ratio));
    const pen = canvas.getContext("2d");
    const radius = (PIXELS * size(map.n)) / 2;
    pen.fillStyle = TourScope.colour("ink");
    pen.globalAlpha = 0.85;
    for (let c = 0; c < map.n; c += 1) {
      const x = (map.xy[2 * c] - x0) * scale;
      const y = (y1 - map.xy[2 * c + 1]) * scale * map.ratio;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
    }
    return {
      source: canvas.toDataURL(),
      xref: "x",
      yref: "y",
      x: x0,
      y: y1,
      sizex: x1 - x0,
      sizey: y1 - y0,
      sizing: "stretch",
      layer: "above",
    };
  }

  /** Show the cities of `map` on the graph. */
  function show(graph, map) {
    const images = map.n > MOST_MARKERS ? [picture(map, graph._fullLayout._size.w)] : [];
    window.Plotly.restyle(graph, markers(map), [TRACE]);
    window.Plotly.relayout(graph, { images });
  }

  TourScope.cities = { show, size };
})((window.TourScope = window.TourScope || {}));
