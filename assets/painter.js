/*
 * The painter of maps: cities, and lines through them, on a canvas. Plotly takes 13 ms for each change of a tour on two
 * cores at work, and a quarter of a second before the first; a canvas takes less than one.
 */
(function (TourScope) {
  "use strict";

  const WHOLE = { scale: 1, x: 0, y: 0 };

  /** Where the map lies on a canvas of that size, seen through a lens (`lens.js`). */
  function placeOf({ box, ratio }, width, height, lens = WHOLE) {
    const fit = Math.min(width / (box.x1 - box.x0), height / ((box.y1 - box.y0) * ratio));
    const x = width / 2 - (fit * (box.x0 + box.x1)) / 2;
    const y = height / 2 + (fit * ratio * (box.y0 + box.y1)) / 2;
    return { fit, ratio, scale: fit * lens.scale, x: (x - lens.x) * lens.scale, y: (y - lens.y) * lens.scale };
  }

  /**
   * A painter on one canvas, whose size is the style sheet's matter.
   * @param {HTMLCanvasElement} canvas
   * @param {function} looks of a map and the canvas's width and height: {size, ring} of a city in pixels, as `cities.js`
   * @param {Object} lens what a person sees the map through; none shows the whole map
   */
  function makePainter(canvas, looks, lens) {
    let map = null;
    let place = null;
    let cities = null; // painted
    let lines = [];
    let pending = 0;

    /** All cities, painted once for each size of the canvas, place of the lens and theme. */
    function measure() {
      const { clientWidth: width, clientHeight: height } = canvas;
      place = width && height && map ? placeOf(map, width, height, lens) : null;
      if (!place) return;
      cities ||= document.createElement("canvas");
      TourScope.cities.paint(TourScope.penOf(cities, width, height), map, place, looks(map, width, height));
    }

    function paint() {
      if (!place) return;
      const { clientWidth: width, clientHeight: height } = canvas;
      const pen = TourScope.penOf(canvas, width, height);
      pen.lineJoin = "round";
      for (const { line, colour, width: thick, alpha = 1, dash = [] } of lines) {
        if (!line.x.length) continue;
        Object.assign(pen, { strokeStyle: TourScope.colour(colour), lineWidth: thick, globalAlpha: alpha });
        pen.setLineDash(dash);
        TourScope.stroke(pen, line, place);
      }
      pen.globalAlpha = 1;
      pen.drawImage(cities, 0, 0, width, height);
    }

    function renew() {
      pending = 0;
      measure();
      paint();
    }

    /** Show the cities of a map, and no tour. */
    function show(other) {
      map = other;
      lines = [];
      renew();
    }

    /** Show lines, the first of them lowest: [{line, colour, width, alpha, dash}]; whether there was room for them. */
    function draw(others) {
      lines = others;
      paint();
      return Boolean(place);
    }

    new ResizeObserver(renew).observe(canvas);
    TourScope.on("theme", renew);
    if (lens) TourScope.on("lens", () => (pending ||= window.requestAnimationFrame(renew)));
    return { show, draw, fit: () => (place ? place.fit : 0) };
  }

  Object.assign(TourScope, { makePainter, placeOf });
})((window.TourScope = window.TourScope || {}));
