/* Tours across the date line: such an edge is drawn as two pieces that meet at 180 degrees. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
import { acrossDateLine } from "../../assets/common/map/date_line.js";
import { paintWhole, makeTraces } from "../../assets/common/map/painter.js";

globalThis.ResizeObserver = class {
  observe() {}
};
globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#123456" });
const { makeBoard } = await import("../../assets/draw/board.js");
const { PER_DEGREE } = await import("../../assets/draw/tour.js");
const { thumbnail } = await import("../../assets/instances/thumbnail.js");

const line = (...points) => ({ x: Float64Array.from(points, ([x]) => x), y: Float64Array.from(points, ([, y]) => y) });
const pairs = ({ x, y }) => Array.from(x, (across, k) => [across, y[k]]);

test("an edge across the date line leaves the map on one side and comes back on the other, at one latitude", () => {
  const [eastwards, westwards] = [line([170, 0], [-170, 10]), line([-170, 10], [170, 0])];
  assert.deepEqual(pairs(acrossDateLine(eastwards)), [
    [170, 0],
    [180, 5],
    [NaN, NaN],
    [-180, 5],
    [-170, 10],
  ]);
  assert.deepEqual(pairs(acrossDateLine(westwards)), [
    [-170, 10],
    [-180, 5],
    [NaN, NaN],
    [180, 5],
    [170, 0],
  ]);
});

test("a line without such an edge stays the same, its gaps too", () => {
  const plain = line([-80, 0], [90, 5], [NaN, NaN], [-179, 3], [-1, 3]);
  assert.equal(acrossDateLine(plain), plain);
});

test("an edge between two places on the date line itself is split there", () => {
  assert.deepEqual(pairs(acrossDateLine(line([180, 4], [-180, 8]))), [
    [180, 4],
    [180, 4],
    [NaN, NaN],
    [-180, 4],
    [-180, 8],
  ]);
});

test("a map in units of its own is split at its own date line, once around it being the whole globe", () => {
  assert.deepEqual(pairs(acrossDateLine(line([950, 0], [50, 100]), [0, 1000])), [
    [950, 0],
    [1000, 50],
    [NaN, NaN],
    [0, 50],
    [50, 100],
  ]);
  const near = line([600, 0], [150, 100]);
  assert.equal(acrossDateLine(near, [0, 1000]), near);
});

test("the lines of a map of the globe are traces that are split, those of the plane are not", () => {
  const painted = [{ line: line([170, 0], [-170, 10]), colour: "tour", width: 2, name: "Tour" }];
  const [globe] = makeTraces({ globe: true }, painted);
  assert.deepEqual([...globe.x], [170, 180, NaN, -180, -170]);
  assert.equal(globe.name, "Tour");
  assert.deepEqual([...makeTraces({ globe: false }, painted)[0].x], [170, -170]);
});

/** A pen that writes down what it is asked to do. */
function scribe() {
  const called = [];
  const note =
    (name) =>
    (...values) =>
      called.push([name, ...values]);
  return { called, pen: new Proxy({}, { get: (_, name) => note(name), set: () => true }) };
}

test("a whole map is painted within its room alone, since another may lie beside it", () => {
  const { called, pen } = scribe();
  const map = { globe: true, box: { x0: -40, x1: 160, y0: -10, y1: 50 }, ratio: 1, xy: [-20, 0, 140, 40], n: 2 };
  const lines = [{ line: line([140, 40], [-20 - 160, 0]), colour: "tour", width: 1 }];
  paintWhole(pen, map, lines, { size: 4, ring: 0 }, { width: 200, height: 60 });
  const names = called.map(([name]) => name);
  const [clip, drawn] = [names.indexOf("clip"), names.indexOf("lineTo")];
  assert.deepEqual(called[names.indexOf("rect")], ["rect", 0, 0, 200, 60]);
  assert.ok(clip >= 0 && clip < drawn, "clipped before a line is drawn");
  assert.ok(names.lastIndexOf("restore") > drawn);
});

test("a thumbnail of a tour across the date line has no line across its middle", () => {
  const { called, pen } = scribe();
  const canvas = { clientWidth: 100, clientHeight: 50, isConnected: true, getContext: () => pen };
  const positions = [0, 0, 1000, 100, 950, 300, 50, 300];
  thumbnail.show(canvas, { positions, closed: true, bare: true, date_line: [-50, 1050] });
  const steps = called.filter(([name]) => name === "moveTo" || name === "lineTo");
  assert.equal(steps.filter(([name]) => name === "moveTo").length, 3);
  steps.forEach(([name, x], k) => assert.ok(name === "moveTo" || Math.abs(x - steps[k - 1][1]) < 20));
});

test("the drawing board splits the tour of places, and none in the plane", () => {
  const places = [
    [170, 10],
    [-170, 20],
    [-160, -10],
  ];
  const lines = (kind) => {
    const cities = places.map(([x, y], id) => ({ id, x: x * PER_DEGREE[kind], y: y * PER_DEGREE[kind] }));
    const { called, pen } = scribe();
    const board = makeBoard({ clientWidth: 340, clientHeight: 100, getContext: () => pen });
    board.fit({ kind, cities });
    board.paint({ kind, cities }, [0, 1, 2], { chosen: -1, cursor: null, grid: 0 });
    return called.filter(([name]) => name === "moveTo").length;
  };
  assert.deepEqual(["GEO", "HAVERSINE_M", "EUC_2D"].map(lines), [3, 3, 1]);
});
