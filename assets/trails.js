/*
 * The view of trails: the strongest edges on the map, wider where more pheromone lies, and the best tour over them.
 * A canvas: as elements of a Plotly line, each of 2,000 edges costs 50 µs or more at every change.
 */
(function (TourScope) {
  "use strict";

  const BUCKETS = 6;
  const NUMBERS = Array.from({ length: BUCKETS }, (_, k) => k);
  const LEAST = 0.02; // of the strongest trail: weaker ones would make a blot of the map
  const TOLD_APART = 8; // how many times the weakest trail the strongest is where lines have their full widths
  const NEAREST = 40; // times that a person can come closer

  let field = null;
  let bestShown = true;
  let lens = { scale: 1, x: 0, y: 0 }; // how close a person has come, and which part of the map is in the corner
  let held = null; // the pointer's last place while the map is dragged
  let pending = 0;

  const canvas = () => TourScope.byId("trails");

  /** The edges of each bucket, from the weakest: pairs of cities one after the other. */
  function buckets({ edges, trail }) {
    const found = NUMBERS.map(() => []);
    for (let k = 0; k < trail.length && trail[k] > 0 && trail[k] >= LEAST * trail[0]; k += 1) {
      const bucket = Math.min(BUCKETS - 1, Math.floor((BUCKETS * trail[k]) / trail[0]));
      found[bucket].push(edges[2 * k], edges[2 * k + 1]);
    }
    return found;
  }

  /** Width of the widest line in pixels, on a map of n cities. */
  const widest = (n) => (n <= 250 ? 7 : n <= 600 ? 5 : 3.4);

  /** Widths of the buckets; all lines are thin while trails are hardly told apart. */
  function widths({ low, high }, n) {
    const apart = Math.min(1, Math.log(high / low) / Math.log(TOLD_APART));
    return NUMBERS.map((k) => Math.max(0.6, (apart * widest(n) * (k + 1)) / BUCKETS));
  }

  const shades = () => NUMBERS.map((k) => TourScope.colour(`trail-${k}`));
  const bestOrder = () => (bestShown && TourScope.run.best ? TourScope.run.best.order : null);

  /** Where the cities lie on the canvas: pairs of x and y in its pixels. */
  function placed({ xy, box, ratio }, width, height) {
    const fit = Math.min(width / (box.x1 - box.x0), height / ((box.y1 - box.y0) * ratio));
    const [left, top] = [(width - fit * (box.x1 - box.x0)) / 2, (height - fit * ratio * (box.y1 - box.y0)) / 2];
    const points = new Float32Array(xy.length);
    for (let k = 0; k < xy.length; k += 2) {
      points[k] = (left + fit * (xy[k] - box.x0) - lens.x) * lens.scale;
      points[k + 1] = (top + fit * ratio * (box.y1 - xy[k + 1]) - lens.y) * lens.scale;
    }
    return points;
  }

  /** Edge by edge: the union of them all would take longer. */
  function paintEdges(pen, points, pairs) {
    for (let k = 0; k < pairs.length; k += 2) {
      const [a, b] = [2 * pairs[k], 2 * pairs[k + 1]];
      pen.beginPath();
      pen.moveTo(points[a], points[a + 1]);
      pen.lineTo(points[b], points[b + 1]);
      pen.stroke();
    }
  }

  function paintTour(pen, points, order) {
    pen.beginPath();
    for (const city of order) pen.lineTo(points[2 * city], points[2 * city + 1]);
    pen.closePath();
    pen.stroke();
  }

  function paintCities(pen, points, n) {
    const size = TourScope.cities.size(n);
    const small = size < 4;
    pen.fillStyle = TourScope.colour(small ? "ink" : "panel");
    pen.strokeStyle = TourScope.colour("ink");
    pen.lineWidth = 1.3;
    for (let k = 0; k < points.length; k += 2) {
      if (small) pen.fillRect(points[k] - size / 2, points[k + 1] - size / 2, size, size);
      else {
        pen.beginPath();
        pen.arc(points[k], points[k + 1], size / 2, 0, 2 * Math.PI);
        pen.fill();
        pen.stroke();
      }
    }
  }

  /** A pen on the empty canvas, whose unit is a pixel of the page. */
  function cleared({ clientWidth, clientHeight }) {
    const element = canvas();
    const finer = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(clientWidth * finer), Math.round(clientHeight * finer)];
    if (element.width !== width) element.width = width;
    if (element.height !== height) element.height = height;
    const pen = element.getContext("2d");
    pen.setTransform(finer, 0, 0, finer, 0, 0);
    pen.clearRect(0, 0, clientWidth, clientHeight);
    pen.lineCap = "round";
    return pen;
  }

  function draw() {
    pending = 0;
    const [element, map] = [canvas(), TourScope.tour.map()];
    if (!element || !map || !TourScope.views.isShown("trails")) return;
    const pen = cleared(element);
    const points = placed(map, element.clientWidth, element.clientHeight);
    if (field) {
      const [wide, colours] = [widths(field.values, map.n), shades()];
      buckets(field.arrays).forEach((pairs, k) => {
        [pen.lineWidth, pen.strokeStyle] = [wide[k], colours[k]];
        paintEdges(pen, points, pairs);
      });
    }
    const order = bestOrder();
    [pen.lineWidth, pen.strokeStyle] = [1, TourScope.colour("added")];
    if (order) paintTour(pen, points, order);
    paintCities(pen, points, map.n);
  }

  function drawSoon() {
    if (!pending) pending = window.requestAnimationFrame(draw);
  }

  /** The view as traces of Plotly on the tour's axes, without the cities, for a picture that is kept. */
  function traces() {
    const map = TourScope.tour.map();
    const trace = (line, width, color) => ({ type: "scatter", mode: "lines", ...line, line: { width, color } });
    const order = bestOrder();
    const best = order ? [trace(TourScope.edges.tourLine(map.xy, order), 1, TourScope.colour("added"))] : [];
    if (!field) return best;
    const [wide, colours] = [widths(field.values, map.n), shades()];
    const lines = buckets(field.arrays).map((pairs) => TourScope.edges.edgeLines(map.xy, pairs));
    return [...lines.map((line, k) => trace(line, wide[k], colours[k])), ...best];
  }

  /** Lay the best tour over the trails, or take it away. */
  function showBest(on) {
    bestShown = on;
    drawSoon();
  }

  /** Come closer to, or go away from, the place below the pointer. */
  function zoom(event) {
    if (event.target !== canvas()) return;
    event.preventDefault();
    const scale = Math.min(NEAREST, Math.max(1, lens.scale * 2 ** (-event.deltaY / 300)));
    const moved = 1 / lens.scale - 1 / scale;
    lens = { scale, x: lens.x + event.offsetX * moved, y: lens.y + event.offsetY * moved };
    if (scale === 1) lens = { scale, x: 0, y: 0 };
    drawSoon();
  }

  function drag(event) {
    if (!held) return;
    lens.x -= (event.clientX - held.x) / lens.scale;
    lens.y -= (event.clientY - held.y) / lens.scale;
    held = { x: event.clientX, y: event.clientY };
    drawSoon();
  }

  function whole() {
    lens = { scale: 1, x: 0, y: 0 };
    drawSoon();
  }

  document.addEventListener("wheel", zoom, { passive: false });
  document.addEventListener("pointerdown", (event) => {
    if (event.target === canvas()) held = { x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", drag);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (held = null));
  document.addEventListener("dblclick", (event) => event.target === canvas() && whole());
  TourScope.when(canvas, (element) => new ResizeObserver(drawSoon).observe(element));
  TourScope.on("picture", (picture) => {
    field = picture && picture.field;
    if (!picture) lens = { scale: 1, x: 0, y: 0 };
    drawSoon();
  });
  TourScope.on("map", drawSoon);
  TourScope.on("viewed", drawSoon);
  TourScope.on("theme", drawSoon);
  TourScope.trails = { showBest, buckets, traces };
})((window.TourScope = window.TourScope || {}));
