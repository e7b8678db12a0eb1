/* Saving: pictures are made here from the graph as it is, everything else is fetched from the server's routes. */
(function (TourScope) {
  "use strict";

  const WIDTH = 1000;
  const HEIGHTS = { least: 360, most: 1600 };
  const SCALE = 2;
  const MARGIN = { l: 24, r: 24, t: 24, b: 56 };
  const bestLength = () => TourScope.run.best && TourScope.run.best.length;
  const ROUTES = {
    tour: { route: "best.tour", last: bestLength, ending: ".tour" },
    csv: { route: "climbers.csv", last: () => "climbers", ending: ".csv" },
    json: { route: "result.json", last: bestLength, ending: ".json" },
    run: { route: "run.tourscope", last: () => null, ending: ".tourscope" },
  };

  let view = null; // what is on the canvas

  function download(address, name) {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
  }

  const safe = (text) => text.replace(/[^\w.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 60) || "tour";

  /** "berlin52-two-opt-7542": the same rule as in `runs/downloads.py`. */
  function nameOf(...parts) {
    const { instance, stage } = TourScope.run;
    const { name } = instance || TourScope.tour.map() || { name: "tour" };
    return [name, stage().algorithm, ...parts].filter(Boolean).map(String).map(safe).join("-");
  }

  /** Text that Plotly, which reads some HTML in its texts, shows as it is. */
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

  /** The line below a picture. */
  function caption() {
    const { instance, optimum, proven, units } = TourScope.run;
    if (!view || !instance) return instance ? instance.name : "";
    const { integer, gapSentence } = TourScope.format;
    return [instance.name, units().title, integer(view.length), gapSentence(view.length, optimum, proven)].join(" · ");
  }

  /** As high as the map asks for, which then fills the picture's width. */
  function heightOf({ box, ratio }) {
    const shape = ((box.y1 - box.y0) * ratio) / (box.x1 - box.x0);
    const height = Math.round((WIDTH - MARGIN.l - MARGIN.r) * shape) + MARGIN.t + MARGIN.b;
    return Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, height));
  }

  /** The whole map with what is drawn on it, a background, room around it and its caption; the page's graph stays as it is. */
  function figure(element) {
    const text = {
      text: plain(caption()),
      showarrow: false,
      xref: "paper",
      yref: "paper",
      x: 0,
      y: 0,
      yshift: -40,
      xanchor: "left",
      yanchor: "bottom",
      font: { size: 15, color: TourScope.colour("mute") },
    };
    const panel = TourScope.colour("panel");
    const map = TourScope.tour.map();
    const size = { width: WIDTH, height: heightOf(map), autosize: false };
    const layout = structuredClone(element.layout); // Plotly writes into the axes of what it is given
    Object.assign(layout, size, { annotations: [text], margin: MARGIN, paper_bgcolor: panel, plot_bgcolor: panel });
    Object.assign(layout.xaxis, { range: [map.box.x0, map.box.x1], autorange: false });
    Object.assign(layout.yaxis, { range: [map.box.y0, map.box.y1], autorange: false });
    return { data: TourScope.tour.wholeTraces(), layout };
  }

  async function picture(format) {
    const element = TourScope.graph("tour");
    if (!element || !TourScope.tour.map()) return;
    const whole = figure(element);
    const { width, height } = whole.layout;
    const address = await window.Plotly.toImage(whole, { format, width, height, scale: SCALE });
    download(address, `${nameOf(view && view.length)}.${format}`);
  }

  /** Save "png", "svg", "gif", "tour", "csv", "json" or "run". */
  async function save(kind) {
    const { id } = TourScope.run;
    if (kind === "png" || kind === "svg") await picture(kind);
    else if (!id) return;
    else if (kind === "gif") {
      const climber = view ? view.climber : 0;
      download(`${TourScope.basePath}runs/${id}/climbs/${climber}.gif`, `${nameOf("climb", climber + 1)}.gif`);
    } else {
      const { route, last, ending } = ROUTES[kind];
      download(`${TourScope.basePath}runs/${id}/${route}`, nameOf(last()) + ending);
    }
  }

  TourScope.on("view", (now) => {
    view = now;
  });
  TourScope.on("closed", () => {
    view = null;
  });
  TourScope.save = save;
})((window.TourScope = window.TourScope || {}));
