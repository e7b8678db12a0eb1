/* The list of a tour's places: its rows, and the text that is copied. */
import assert from "node:assert/strict";
import test from "node:test";
import { listRows, formatTable } from "../../assets/itinerary/rows.js";

const ITINERARY = {
  name: "three",
  unit: "km",
  length: 60,
  stops: [
    [1, "Paris", 10, 0],
    [3, "=1+1", 20, 10],
    [2, "", 30, 30],
  ],
};

test("each row has the way to the next place and the way so far, and the last one is the first place again", () => {
  assert.deepEqual(listRows(ITINERARY), [
    [1, "Paris", 10, 0],
    [2, "=1+1", 20, 10],
    [3, "City 2", 30, 30],
    [4, "back to Paris", null, 60],
  ]);
});

test("what is copied is a table in which no name is a formula", () => {
  const [head, ...rows] = formatTable(ITINERARY).trimEnd().split("\n");
  assert.equal(head, "Stop\tPlace\tTo the next, km\tTotal, km");
  assert.deepEqual(rows, ["1\tParis\t10\t0", "2\t'=1+1\t20\t10", "3\tCity 2\t30\t30", "4\tback to Paris\t\t60"]);
  assert.ok(formatTable({ ...ITINERARY, unit: "" }).startsWith("Stop\tPlace\tTo the next\tTotal\n"));
});
