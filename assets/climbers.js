/* The table of climbers: rows in batches, the best ones marked, a click plays. */
(function (TourScope) {
  "use strict";

  const MOST = 200000; // rows that the table keeps: the best ones
  const SLACK = 20000; // rows above that before it is cut again
  const BATCH = 250; // milliseconds between two batches

  let api = null;
  let arrived = []; // rows that the table has not got yet
  let count = 0; // rows that it has
  let dropped = 0;
  let limit = Infinity; // rows that are longer are left out

  function rowOf(arrays, k) {
    const { optimum } = TourScope.run;
    return {
      climber: arrays.climber[k] + 1,
      length: arrays.length[k],
      gap: TourScope.format.gapPercent(arrays.length[k], optimum),
      moves: arrays.moves[k],
      seconds: arrays.seconds[k],
    };
  }

  function onRows(arrays) {
    for (let k = 0; k < arrays.climber.length; k += 1) {
      if (arrays.length[k] <= limit) arrived.push(rowOf(arrays, k));
      else dropped += 1;
    }
    flush();
  }

  const flush = TourScope.throttle(() => {
    if (!api || !arrived.length) return;
    const add = arrived;
    arrived = [];
    count += add.length;
    api.applyTransactionAsync({ add }, () => count > MOST + SLACK && cut());
    say();
  }, BATCH);

  /** Keep the best `MOST` rows. */
  function cut() {
    const rows = [];
    api.forEachNode((node) => rows.push(node.data));
    rows.sort((a, b) => a.length - b.length || a.climber - b.climber);
    dropped += rows.length - MOST;
    rows.length = MOST;
    count = MOST;
    limit = rows[MOST - 1].length;
    api.setGridOption("rowData", rows);
    say();
  }

  function say() {
    const { format, byId, run } = TourScope;
    const note = byId("climbers-note");
    if (!note || !dropped) return;
    note.textContent = `The best ${format.integer(count)} of ${format.integer(run.rows)} ${format.plural(run.units().iteration)}.`;
  }

  function clear() {
    arrived = [];
    count = 0;
    dropped = 0;
    limit = Infinity;
    if (!api) return;
    api.flushAsyncTransactions();
    api.setGridOption("rowData", []);
  }

  const mark = TourScope.throttle(() => api && api.redrawRows(), 500);

  function isBest({ data }) {
    const { best } = TourScope.run;
    return Boolean(data && best && data.length === best.length);
  }

  /** A click gives the keyboard to the player. */
  function onClick({ data }) {
    if (!data) return;
    api.clearFocusedCell();
    if (document.activeElement) document.activeElement.blur();
    TourScope.player.playClimb(data.climber - 1);
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
  TourScope.on("opened", columns);
  TourScope.on("closed", clear);
})((window.TourScope = window.TourScope || {}));
