/* The table of climbers: rows in batches, the best ones marked, a click plays. */
(function (TourScope) {
  "use strict";

  const MOST = 50000; // rows that the table keeps: the best ones
  const BATCH = 250; // milliseconds between two batches at least

  let api = null;
  let rows = []; // the best ones, those that the table has not got yet among them
  let fresh = 0; // rows at the end of `rows` that it has not got
  let replaced = false; // whether rows that it has are gone
  let limit = Infinity; // rows that are as long are left out

  function rowOf(arrays, k, first) {
    const { optimum } = TourScope.run;
    return {
      climber: arrays.climber[k] + first,
      length: arrays.length[k],
      gap: TourScope.format.gapPercent(arrays.length[k], optimum),
      moves: arrays.moves[k],
      seconds: arrays.seconds[k],
    };
  }

  function onRows(arrays) {
    const { first } = TourScope.run.units();
    for (let k = 0; k < arrays.climber.length; k += 1) {
      if (arrays.length[k] >= limit) continue;
      rows.push(rowOf(arrays, k, first));
      fresh += 1;
      if (rows.length >= 2 * MOST) cut();
    }
    flush();
  }

  /** Keep the best `MOST` rows; of equal ones those that came first. */
  function cut() {
    if (rows.length <= MOST) return;
    rows.sort((a, b) => a.length - b.length || a.climber - b.climber);
    rows.length = MOST;
    limit = rows[MOST - 1].length;
    replaced = true;
  }

  const flush = TourScope.throttle(() => {
    if (!api) return;
    cut();
    if (replaced) api.setGridOption("rowData", rows.slice());
    else if (fresh) api.applyTransaction({ add: rows.slice(-fresh) });
    [fresh, replaced] = [0, false];
    say();
  }, BATCH);

  function say() {
    const { format, byId, run } = TourScope;
    const note = byId("climbers-note");
    if (!note || limit === Infinity) return;
    note.textContent = `The best ${format.integer(rows.length)} of ${format.integer(run.rows)} ${format.plural(run.units().iteration)}.`;
  }

  function clear() {
    rows = [];
    [fresh, replaced, limit] = [0, false, Infinity];
    if (api) api.setGridOption("rowData", []);
  }

  const mark = TourScope.throttle(() => api && api.redrawRows(), 500);

  function isBest({ data }) {
    const { best } = TourScope.run;
    return Boolean(data && best && data.length === best.length);
  }

  /** Show how the tour of a row was made. */
  const play = ({ climber }) => TourScope.player.playClimb(climber - TourScope.run.units().first);

  /** The optimum is known now, so gaps are. */
  function onProof({ optimum }) {
    for (const row of rows) row.gap = TourScope.format.gapPercent(row.length, optimum);
    replaced = true;
    flush();
  }

  /** A click gives the keyboard to the player. */
  function onClick({ data }) {
    if (!data) return;
    api.clearFocusedCell();
    if (document.activeElement) document.activeElement.blur();
    play(data);
  }

  function ready(found) {
    api = found;
    api.setGridOption("rowClassRules", { best: isBest });
    api.addEventListener("rowClicked", onClick);
    api.applyColumnState({ state: [{ colId: "length", sort: "asc" }] });
    columns();
    flush();
  }

  /** Constructions have no moves to count. */
  function columns() {
    if (api) api.setColumnsVisible(["moves"], TourScope.run.units().step === "move");
  }

  TourScope.when(() => TourScope.byId("climbers") && window.dash_ag_grid, (grids) => grids.getApiAsync("climbers").then(ready));
  TourScope.on("rows", onRows);
  TourScope.on("best", mark);
  TourScope.on("proof", onProof);
  TourScope.on("opened", columns);
  TourScope.on("closed", clear);
  TourScope.climbers = { play };
})((window.TourScope = window.TourScope || {}));
