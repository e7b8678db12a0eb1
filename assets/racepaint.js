/*
 * The painter of a lane: tours on a canvas. Plotly takes 13 ms for each change of a tour on two cores at work, which is
 * too long for four of them at a time; a canvas takes less than one.
 */
(function (TourScope) {
  "use strict";

  const SHARE = 0.32; // of the distance between cities that lie evenly: a dot's diameter at most
  const DOTS = { least: 1, most: 4.5 };

  /** Where the map lies on a canvas of that size. */
  function placeOf({ box, ratio }, width, height) {
    const scale = Math.min(width / (box.x1 - box.x0), height / ((box.y1 - box.y0) * ratio));
    const x = width / 2 - (scale * (box.x0 + box.x1)) / 2;
    const y = height / 2 + (scale * ratio * (box.y0 + box.y1)) / 2;
    return { scale, ratio, x, y };
  }

  /** Diameter of a city's dot, in pixels, on so large a canvas. */
  function dotOf(n, width, height) {
    return Math.min(DOTS.most, Math.max(DOTS.least, SHARE * Math.sqrt((width * height) / n)));
  }

  /** All cities, painted once for each size of the canvas and each theme. */
  function dots(map, place, width, height) {
    const canvas = document.createElement("canvas");
    const pen = TourScope.penOf(canvas, width, height);
    const radius = dotOf(map.n, width, height) / 2;
    pen.fillStyle = TourScope.colour("ink");
    pen.globalAlpha = 0.85;
    for (let c = 0; c < map.n; c += 1) {
      pen.beginPath();
      pen.arc(place.x + place.scale * map.xy[2 * c], place.y - place.scale * place.ratio * map.xy[2 * c + 1], radius, 0, 2 * Math.PI);
      pen.fill();
    }
    return canvas;
  }

  /** A painter on one canvas, whose size is the style sheet's matter. */
  function makePainter(canvas) {
    let map = null;
    let place = null;
    let cities = null; // painted
    let lines = [];

    function measure() {
      const { clientWidth: width, clientHeight: height } = canvas;
      cities = null;
      place = width && height && map ? placeOf(map, width, height) : null;
      if (place) cities = dots(map, place, width, height);
    }

    function paint() {
      if (!place) return;
      const { clientWidth: width, clientHeight: height } = canvas;
      const pen = TourScope.penOf(canvas, width, height);
      pen.lineJoin = "round";
      for (const { line, colour, width: thick, alpha = 1 } of lines) {
        Object.assign(pen, { strokeStyle: TourScope.colour(colour), lineWidth: thick, globalAlpha: alpha });
        TourScope.stroke(pen, line, place);
      }
      pen.globalAlpha = 1;
      pen.drawImage(cities, 0, 0, width, height);
    }

    function renew() {
      measure();
      paint();
    }

    /** Show the cities of a map, and no tour. */
    function show(other) {
      map = other;
      lines = [];
      renew();
    }

    /** Show lines, the first of them lowest: [{line, colour, width, alpha}]; whether there was room for them. */
    function draw(others) {
      lines = others;
      paint();
      return Boolean(place);
    }

    new ResizeObserver(renew).observe(canvas);
    TourScope.on("theme", renew);
    return { show, draw, scale: () => (place ? place.scale : 0) };
  }

  TourScope.makePainter = makePainter;
})((window.TourScope = window.TourScope || {}));
