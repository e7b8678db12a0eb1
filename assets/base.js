/* What all scripts share: events between them, elements, throttling, and graphs that are there. First by its name. */
(function (TourScope) {
  "use strict";

  const RESTS = 4; // as long as the work took, from its beginning
  const UNITS = { iteration: "climber", evaluation: "move", step: "move", first: 1, views: ["tour"] }; // of an algorithm that is not known
  const listeners = new Map();

  /** Call `listener` at each `emit` of `name`. */
  function on(name, listener) {
    if (!listeners.has(name)) listeners.set(name, []);
    listeners.get(name).push(listener);
  }

  /** Tell all listeners of `name`. */
  function emit(name, value) {
    for (const listener of listeners.get(name) || []) listener(value);
  }

  const byId = (id) => document.getElementById(id);

  /** Set the text of an element, if there is such an element and the text is another. */
  function setText(id, text) {
    const element = byId(id);
    if (element && element.textContent !== text) element.textContent = text;
  }

  /**
   * A function that calls `work` at once if it may, else once when `milliseconds` have passed since the last time, or
   * three times as long as `work` took then: nothing takes more than a quarter of the page's time.
   */
  function throttle(work, milliseconds) {
    let due = -Infinity;
    let timer = 0;
    const go = () => {
      timer = 0;
      const began = performance.now();
      work();
      due = began + Math.max(milliseconds, RESTS * (performance.now() - began));
    };
    return () => {
      if (timer) return;
      const left = due - performance.now();
      if (left <= 0) go();
      else timer = window.setTimeout(go, left);
    };
  }

  /** Call `found` with the first truthy value of `look`, which is asked again until then, ever less often. */
  function when(look, found, pause = 15) {
    const value = look();
    if (value) found(value);
    else window.setTimeout(() => when(look, found, Math.min(250, 1.05 * pause)), pause);
  }

  const drawnIn = (place) => place.querySelector(".js-plotly-plot");

  /** Draw the figure that a place names (`components/figures/canvas.py`); it keeps the size of its place. */
  function begin(place) {
    const { data, layout } = JSON.parse(place.dataset.figure);
    const element = place.appendChild(document.createElement("div"));
    window.Plotly.newPlot(element, data, layout, JSON.parse(place.dataset.config));
    new ResizeObserver(() => {
      const { width, height } = element._fullLayout || {};
      const changed = width !== place.clientWidth || height !== place.clientHeight;
      if (changed && place.clientWidth) window.Plotly.Plots.resize(element);
    }).observe(place);
    return element;
  }

  /** The Plotly element of a chart, which is drawn once it is visible; null until then. */
  function graph(id) {
    const place = byId(id);
    if (!place || !window.Plotly) return null;
    const isNew = place.dataset.figure && !drawnIn(place);
    const element = isNew && place.checkVisibility({ visibilityProperty: true }) ? begin(place) : drawnIn(place);
    return element && element._fullLayout && element._fullLayout._size ? element : null;
  }

  /** Draw a chart that is still hidden once the page is idle, so that its first data need not wait for it. */
  function prepare(id) {
    const idle = window.requestIdleCallback || window.setTimeout;
    when(() => window.Plotly && byId(id), (place) => idle(() => drawnIn(place) || begin(place)));
  }

  /** The value of a colour of the style sheet as it is in the present theme: `colour("tour")` is that of --tour. */
  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  /** Where the server's routes begin, with a slash at the end. */
  function basePath() {
    const element = byId("page") || document.querySelector("[data-base-path]");
    const path = (element && element.dataset.basePath) || "/";
    return path.endsWith("/") ? path : `${path}/`;
  }

  /** What an algorithm counts, and what there is to see of it; `components/shell/text.py` says what is what. */
  function units(algorithm) {
    const element = byId("page");
    const all = element && element.dataset.units ? JSON.parse(element.dataset.units) : {};
    return all[algorithm] || { title: algorithm, ...UNITS };
  }

  Object.assign(TourScope, { on, emit, byId, setText, throttle, when, graph, prepare, colour, units });
  Object.defineProperty(TourScope, "basePath", { get: basePath });
})((window.TourScope = window.TourScope || {}));
