/* The table of a race: the lanes at the moment that is shown, the one with the least gap first. */
(function (TourScope) {
  "use strict";

  const { format } = TourScope;
  const CELLS = ["badge", "title", "length", "gap", "at", "compiled"];

  let rows = []; // {lane, cells, element}

  function rowOf(lane) {
    const element = document.createElement("tr");
    const cells = Object.fromEntries(CELLS.map((name) => [name, document.createElement(name === "title" ? "th" : "td")]));
    cells.title.scope = "row";
    cells.title.textContent = lane.view.title;
    cells.title.title = lane.view.facts;
    const badge = document.createElement("span");
    badge.className = "lane-badge";
    badge.textContent = lane.view.letter;
    badge.style.setProperty("--lane", `var(--${lane.view.colour})`);
    cells.badge.append(badge);
    element.append(...CELLS.map((name) => cells[name]));
    return { lane, cells, element };
  }

  function make() {
    rows = TourScope.race.lanes.map(rowOf);
    TourScope.byId("race-table").replaceChildren(...rows.map(({ element }) => element));
    fill();
  }

  const put = (cell, said) => cell.textContent !== said && (cell.textContent = said);

  /** A gap as a number with its sign; against the best of the race where no optimum is known. */
  function gapText(length) {
    const against = TourScope.raceChart.reference();
    const percent = format.gapPercent(length, against);
    if (percent === 0 && TourScope.race.optimum) return TourScope.race.proven ? "optimal" : "0 %";
    return percent === null ? "\u2013" : format.percent(percent);
  }

  function fill() {
    const { clock } = TourScope.racePlayer.state;
    const standing = rows.map((row) => ({ ...row, best: row.lane.moment(clock).best }));
    for (const { lane, cells, best } of standing) {
      put(cells.length, best ? format.integer(best.length) : "\u2013");
      put(cells.gap, best ? gapText(best.length) : "\u2013");
      put(cells.at, best ? format.seconds(best.at) : "\u2013");
      put(cells.compiled, lane.started ? format.seconds(compileSeconds(lane)) : "\u2013");
    }
    const last = { length: Infinity, at: Infinity };
    standing.sort(({ best: a, lane: l }, { best: b, lane: m }) => {
      const [x, y] = [a || last, b || last];
      return x.length - y.length || x.at - y.at || l.number - m.number;
    });
    const body = TourScope.byId("race-table");
    const order = standing.map(({ element }) => element);
    if (order.some((element, k) => body.children[k] !== element)) body.replaceChildren(...order);
  }

  const compileSeconds = ({ started, finished }) => (finished || started).compile_seconds;

  TourScope.on("race-opened", make);
  TourScope.on("race-moment", TourScope.throttle(fill, 50));
  TourScope.on("race-told", TourScope.throttle(fill, 250));
})((window.TourScope = window.TourScope || {}));
