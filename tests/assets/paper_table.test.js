/* The table of an entry of a paper: which sources stand beside each other. */
import assert from "node:assert/strict";
import test from "node:test";
import { sourcesBeside } from "../../assets/papers/table.js";

const cell = (text) => ({ text });
const line = (source, ours, ...figures) => ({ source, ours, cells: figures.map(cell) });
const told = (columns, ...lines) => ({
  head: "Instance",
  columns: Array.from({ length: columns }, (_, k) => ({ name: `${k}`, unit: "ms" })),
  sources: true,
  rows: [{ name: "pr1002", lines }],
});

test("the paper and ours stand beside each other, each where it has figures", () => {
  const table = told(2, line("Paper", false, "3", "4"), line("H200", true, "–", "1"));
  assert.deepEqual(sourcesBeside(table), [
    [["Paper", false]],
    [
      ["Paper", false],
      ["H200", true],
    ],
  ]);
});

test("one source, or more columns than a window takes, leave lines below each other", () => {
  assert.equal(sourcesBeside(told(2, line("Paper", false, "3", "4"))), null);
  const wide = Array.from({ length: 5 }, () => "1");
  assert.equal(sourcesBeside(told(5, line("Paper", false, ...wide), line("H200", true, ...wide))), null);
});
