/* The drawer's diagrams against what kernels do, and the kinds of steps that light lines. */
import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { windows } from "../../assets/how/chains.js";
import { schedule, work } from "../../assets/how/cores.js";
import { chooseKicks } from "../../assets/how/kicks.js";
import { steps } from "../../assets/how/layers.js";
import { moves } from "../../assets/how/moves.js";
import { ideaName, SCENES } from "../../assets/how/scenes.js";
import { stepKind, codeLine } from "../../assets/watch/how/code_lines.js";

const names = (looks) => looks.map(({ i, j }) => `${i} ${j}`).sort();
const all = (n) => {
  const found = [];
  for (let i = 0; i < n - 2; i++) for (let j = i + 2; j < n; j++) found.push(`${i} ${j}`);
  return found.sort();
};

for (const way of ["rowsForwards", "rowsBackwards", "byNumber"])
  test(`${way}: every move is one thread's, and no thread is at two at a time`, () => {
    for (const [n, threads] of [
      [12, 4],
      [7, 4],
      [9, 32],
      [5, 1],
    ]) {
      const found = moves[way](n, threads);
      assert.deepEqual(names(found.flat()), all(n));
      for (const looks of found) {
        assert.equal(new Set(looks.map(({ thread }) => thread)).size, looks.length);
        assert.ok(looks.every(({ thread }) => thread >= 0 && thread < threads));
      }
    }
  });

test("a climber per thread: each thread is at every move, all at the same one", () => {
  const found = moves.perThread(6, 3);
  assert.deepEqual(names(found.map(([first]) => first)), all(6));
  for (const looks of found) assert.equal(new Set(names(looks)).size, 1);
});

test("rows forwards: thread t has the rows i that leave t, backwards all threads are at one j", () => {
  for (const looks of moves.rowsForwards(12, 4)) for (const { thread, i } of looks) assert.equal(i % 4, thread);
  for (const looks of moves.rowsBackwards(12, 4)) assert.equal(new Set(looks.map(({ j }) => j)).size, 1);
});

test("by number: move k is thread k's, modulo the threads", () => {
  const order = moves.listMoves(12).map(({ i, j }) => `${i} ${j}`);
  for (const { thread, i, j } of moves.byNumber(12, 4).flat()) assert.equal(order.indexOf(`${i} ${j}`) % 4, thread);
});

test("strips: every pair of edges of the circle is met, and a move follows the two columns that it needs", () => {
  const found = moves.strips(12, 4, 3);
  const pairs = new Set(
    found.flatMap(({ looks }) => looks.map(({ i, j }) => [i, j % 12].sort((one, other) => one - other).join(" "))),
  );
  const wanted = all(12).filter((pair) => pair !== "0 11"); // neighbours on the circle
  assert.deepEqual([...pairs].sort(), wanted);
  for (const { column, looks } of found) for (const { thread, j } of looks) assert.equal(column[thread], j + 1);
});

test("moves do not conflict that are disjoint or nested", () => {
  const apart = (a, b, c, d) => moves.areApart({ i: a, j: b }, { i: c, j: d });
  assert.ok(apart(1, 3, 4, 8) && apart(4, 8, 1, 3) && apart(1, 9, 3, 5) && apart(3, 5, 1, 9));
  assert.ok(!apart(1, 5, 3, 8) && !apart(3, 8, 1, 5) && !apart(1, 4, 4, 8) && !apart(1, 5, 1, 8));
});

test("a warp begins anew behind the first accepted draw", () => {
  assert.deepEqual(windows([5, 6, 20], 24, 8), [
    { first: 0, made: 5 },
    { first: 6, made: 6 },
    { first: 7, made: null },
    { first: 15, made: 20 },
    { first: 21, made: null },
  ]);
});

test("of kicks that change the same the one that gains most is made, and none that gains nothing", () => {
  const [a, b, c, d] = [
    { first: 0, last: 4, gain: 2 },
    { first: 4, last: 6, gain: 5 },
    { first: 7, last: 9, gain: 0 },
    { first: 6, last: 8, gain: 1 },
  ];
  assert.deepEqual(chooseKicks([a, b, c, d]), [1]);
  assert.deepEqual(chooseKicks([a, c, d]), [0, 2]);
});

test("a core that is free takes the next piece, and phases wait for each other", () => {
  const { pieces, ends } = schedule([[3, 1, 1], [2]], 2);
  assert.deepEqual(
    pieces.map(({ core, from, to }) => [core, from, to]),
    [
      [0, 0, 3],
      [1, 0, 1],
      [1, 1, 2],
      [0, 3, 5],
    ],
  );
  assert.deepEqual(ends, [3, 5]);
});

test("the number of a piece that a core works on stands out from its colour, that of one that is done from the ground", () => {
  const scene = work.searches();
  const kinds = (frame) => {
    const numbers = scene.draw(frame).filter(([kind, { class: style }]) => kind === "text" && style !== "axis");
    return numbers.map(([, { class: style }]) => style);
  };
  assert.deepEqual(kinds(1), ["small on", "small on", "small on", "small on"]);
  assert.ok(kinds(9).includes("small"));
});

test("no step of Held-Karp has sets of two layers, and all sets are worked on", () => {
  const found = steps([[0], [1, 2, 4, 8, 16], [3, 5]]);
  assert.deepEqual(
    found.map(({ layer }) => layer),
    [0, 1, 1, 2],
  );
  assert.deepEqual(
    found.flatMap(({ sets }) => sets),
    [0, 1, 2, 4, 8, 16, 3, 5],
  );
});

for (const [algorithm, scenes] of Object.entries(SCENES))
  for (const [name, make] of Object.entries(scenes))
    test(`${algorithm}, ${name}: every frame is drawn, within the picture`, () => {
      const { draw, frames, height, say, width } = make();
      assert.ok(frames > 1);
      const seen = new Set();
      for (let frame = 0; frame < frames; frame++) {
        const shapes = draw(frame);
        seen.add(JSON.stringify(shapes) + say?.(frame));
        for (const [kind, attributes] of shapes) {
          const numbers = Object.entries(attributes).filter(([, value]) => typeof value === "number");
          assert.ok(
            numbers.every(([, value]) => Number.isFinite(value)),
            `${kind} ${JSON.stringify(attributes)}`,
          );
          const { x = 0, y = 0, width: wide = 0, height: high = 0 } = attributes;
          assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + high <= height, JSON.stringify(attributes));
          assert.ok(wide >= 0 && high >= 0, JSON.stringify(attributes));
        }
      }
      assert.equal(seen.size, frames, "each frame differs");
    });

test("the kind of a step", () => {
  const view = { walk: "moves", position: 2, delta: -3, resting: false };
  assert.equal(stepKind({ ...view, position: 0, delta: null }), "first");
  assert.equal(stepKind(view), "shorter");
  assert.equal(stepKind({ ...view, delta: 3 }), "longer");
  assert.equal(stepKind({ ...view, resting: true }), "last");
  assert.equal(stepKind({ ...view, position: -1 }), "");
  assert.equal(stepKind({ ...view, walk: "edges" }), "step");
  assert.equal(stepKind({ ...view, walk: "iteration", position: 0 }), "step");
  assert.equal(codeLine("simulated-annealing", { ...view, delta: 3 }), "uphill");
  assert.equal(codeLine("greedy", { ...view, walk: "edges", resting: true }), "close");
  assert.equal(codeLine("greedy", { ...view, position: -1 }), null);
  assert.equal(codeLine("unknown", view), null);
});

test("cities are counted from 1 in the diagrams of ants, as in sentences and files", () => {
  for (const [name, make] of Object.entries(SCENES["ant-system"])) {
    const { draw, frames, say } = make();
    const all = Array.from({ length: frames }, (_, frame) => frame);
    const details = all.map((frame) => say?.(frame) || "").join(" ");
    const shapes = all.flatMap((frame) => draw(frame));
    const numbers = shapes.filter(([, attributes]) => attributes.class === "number").map((shape) => shape.at(-1));
    assert.doesNotMatch(details, /city 0\b/, name);
    assert.ok(!numbers.map(String).includes("0"), name);
    if (name === "One choice") assert.ok(numbers.map(String).includes("12"));
  }
});

test("the diagram of an idea is the first of its algorithm, so that its item is found in any language", () => {
  const found = Object.keys(SCENES).filter((algorithm) => ideaName(algorithm));
  assert.deepEqual(
    found.map((algorithm) => Object.keys(SCENES[algorithm])[0]),
    found.map(ideaName),
  );
  assert.equal(ideaName("two-opt"), "One move");
  assert.equal(ideaName("tabu-search"), undefined);
  assert.equal(ideaName("greedy"), undefined);
});
