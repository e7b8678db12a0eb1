/* The table of climbers: the head of its first column, and how it comes to the page. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { climbers } from "../../assets/watch/climbs/climbers.js";
import { player } from "../../assets/watch/player/players.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

test("a long word has room in the head of the table", () => {
  assert.deepEqual(climbers.makeCountColumn("climber"), { headerName: "climber", minWidth: 58 });
  assert.deepEqual(climbers.makeCountColumn("iteration"), { headerName: "iteration", minWidth: 76 }); // 62 pixels of letters
});

test("the table comes to a page that was made after the grid's script was read", async () => {
  const { document } = globalThis;
  const element = Object.assign(new Element("script"), { addEventListener: (kind, done) => kind === "load" && done() });
  document.createElement = () => element;
  document.head = { append: () => {} };
  page.window.dash_ag_grid = { getApiAsync: () => new Promise(() => {}) };
  climbers.load();
  await page.pass(1000);
  assert.deepEqual(page.told, []);
  page.elements.push(Object.assign(new Element("div", { id: "climbers-place" }), { dataset: { grid: '{"a":1}' } }));
  await page.pass(1000);
  assert.deepEqual(page.told, [["climbers-place", { children: { a: 1 } }]]);
});

test("a run of the same algorithm leaves the columns as they are", async () => {
  const asked = [];
  const noted = (name) => (value) => asked.push([name, value].flat());
  const names = ["setGridOption", "setColumnsVisible", "sizeColumnsToFit", "applyColumnState", "addEventListener"];
  const api = Object.fromEntries(names.map((name) => [name, noted(name)]));
  api.getColumnDefs = () => [{ field: "climber" }, { field: "length" }];
  page.window.dash_ag_grid = { getApiAsync: async () => api };
  climbers.load();
  await page.pass(1000);
  const laidOut = () => asked.filter(([name]) => name === "sizeColumnsToFit").length;
  assert.equal(laidOut(), 1);
  climbers.name("");
  assert.equal(laidOut(), 1);
  const units = JSON.stringify({ greedy: { iteration: "edge", step: "edge" } });
  page.elements.push(Object.assign(new Element("div", { id: "page" }), { dataset: { units } }));
  climbers.name("greedy");
  assert.equal(laidOut(), 2);
});

test("a row plays its climb alone", (context) => {
  const { mock } = context.mock.method(player, "playClimb", () => {});
  climbers.play({ climber: 2 + run.units().first });
  assert.deepEqual(mock.calls[0].arguments, [2, true, true]);
});

test("an insertion counts as one move", async () => {
  const added = [];
  const api = { getColumnDefs: () => [], applyTransaction: ({ add }) => added.push(...add), redrawRows() {} };
  for (const name of ["setGridOption", "setColumnsVisible", "sizeColumnsToFit", "applyColumnState", "addEventListener"])
    api[name] = () => {};
  page.window.dash_ag_grid = { getApiAsync: async () => api };
  climbers.load();
  await page.pass(1000);
  const { map } = tour;
  for (const [directed, algorithm] of [
    [true, "two-opt"],
    [false, "two-opt"],
    [true, "lin-kernighan"],
  ]) {
    tour.map = () => ({ directed });
    run.spec = { stages: [{ algorithm }] };
    emit("rows", { climber: [0], length: [10], moves: [9], seconds: [1] });
    climbers.show({ run: run.id, optimum: null });
  }
  tour.map = map;
  assert.deepEqual(
    added.map(({ moves }) => moves),
    [3, 9, 9],
  );
});
