/* What is drawn: its text for links, the way back, and the tour that is repaired. */
import assert from "node:assert/strict";
import test from "node:test";
import { decode, encode, MAX_CITIES } from "../../assets/draw/codec.js";
import { improve } from "../../assets/draw/improve.js";
import { letters, makeShape } from "../../assets/draw/shapes.js";
import { makeSketch } from "../../assets/draw/sketch.js";
import { read } from "../../assets/draw/table.js";
import { makeTour } from "../../assets/draw/tour.js";
import { randoms } from "./made_up.js";

const places = ({ cities }) => cities.map(({ x, y }) => [x, y]);

/** A drawing of random cities. */
function drawn(n, seed, side = 1000) {
  const random = randoms(seed);
  const whole = () => Math.floor(side * random()) - Math.floor(side / 4);
  return { kind: "EUC_2D", cities: Array.from({ length: n }, (_, id) => ({ id, x: whole(), y: whole(), name: "" })) };
}

const isTour = (order) =>
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    [...order].map((_, k) => k),
  );

test("a drawing comes back from its text", () => {
  for (const side of [2, 100, 1000, 400_000_000]) {
    const drawing = drawn(MAX_CITIES, side, side);
    assert.deepEqual(decode(encode(drawing)), drawing);
  }
});

test("the text is the one that the server's tests read", () => {
  const cities = [
    [0, 0],
    [1000, 500],
    [3, -7],
  ].map(([x, y], id) => ({ id, x, y, name: "" }));
  assert.deepEqual(encode({ kind: "EUC_2D", cities }), { drawn: 1, cities: "AAw-Bofp-B1f" });
});

test("200 cities of the square take at most 1,200 characters", () => {
  assert.ok(encode(drawn(MAX_CITIES, 1)).cities.length <= 1200);
});

test("kind and names are in the reference where there are any", () => {
  const city = { id: 0, x: 13_4050, y: 52_5200, name: "Berlin" };
  const reference = encode({ kind: "GEO", cities: [city] });
  assert.deepEqual([reference.kind, reference.names], ["GEO", ["Berlin"]]);
  assert.deepEqual(decode(reference).cities, [city]);
});

test("changes are undone and made again, a drag as one", () => {
  const sketch = makeSketch();
  const first = sketch.add(1, 2);
  sketch.add(3, 4);
  sketch.hold();
  for (let x = 10; x < 20; x += 1) sketch.move(first, x, x);
  sketch.release();
  const moved = sketch.drawing();
  assert.deepEqual(places(moved), [
    [19, 19],
    [3, 4],
  ]);
  sketch.undo();
  assert.deepEqual(places(sketch.drawing()), [
    [1, 2],
    [3, 4],
  ]);
  sketch.undo();
  assert.deepEqual(places(sketch.drawing()), [[1, 2]]);
  sketch.redo();
  sketch.redo();
  assert.equal(sketch.drawing(), moved);
  assert.equal(sketch.redo(), false);
  sketch.undo();
  sketch.remove(first);
  assert.equal(sketch.canRedo(), false);
});

test("no city is added beyond the most", () => {
  const sketch = makeSketch();
  sketch.replace(drawn(MAX_CITIES, 2));
  assert.equal(sketch.add(1, 1), -1);
  assert.equal(sketch.drawing().cities.length, MAX_CITIES);
});

test("a tour that is improved has no shorter tour one 2-opt exchange away that begins with a near city", () => {
  const n = 60;
  const { cities } = drawn(n, 3);
  const far = Float64Array.from({ length: n * n }, (_, k) => {
    const [a, b] = [cities[Math.floor(k / n)], cities[k % n]];
    return Math.round(Math.hypot(a.x - b.x, a.y - b.y));
  });
  const order = Int32Array.from({ length: n }, (_, k) => k);
  improve(order, far);
  isTour(order);
  const edge = (i, j) => far[order[i % n] * n + order[j % n]];
  /** Whether a city is among the nearest of another. */
  const near = (a, b) => [...Array(n).keys()].filter((c) => c !== a && far[a * n + c] < far[a * n + b]).length < 10;
  for (let i = 0; i < n; i += 1)
    for (let j = i + 2; j < n; j += 1)
      if (near(order[i], order[j]) && (i || j < n - 1))
        assert.ok(edge(i, j) + edge(i + 1, j + 1) >= edge(i, i + 1) + edge(j, j + 1));
});

test("a repaired tour visits all cities, whatever is moved, added or taken away", () => {
  const random = randoms(4);
  const [sketch, tour] = [makeSketch(), makeTour()];
  for (let step = 0; step < 150; step += 1) {
    const { cities } = sketch.drawing();
    const city = cities[Math.floor(random() * cities.length)];
    const [x, y] = [Math.floor(1000 * random()), Math.floor(1000 * random())];
    if (!city || random() < 0.5) sketch.add(x, y);
    else if (random() < 0.6) sketch.move(city.id, x, y);
    else sketch.remove(city.id);
    const { order, length, edges } = tour.findTour(sketch.drawing());
    assert.equal(order.length, sketch.drawing().cities.length);
    isTour(order);
    assert.equal(
      length,
      edges.reduce((sum, edge) => sum + edge, 0),
    );
  }
});

test("a table with a header is cities with names, of degrees on the globe, in kilometres where they are far apart", () => {
  const { drawing, guessed } = read('name;lat;lon\n"Frankfurt; Main";50.11;8.68\nParis;48.8566;2.3522\n');
  assert.deepEqual([drawing.kind, guessed], ["HAVERSINE_KM", false]);
  assert.deepEqual(
    drawing.cities.map(({ name, x, y }) => [name, x, y]),
    [
      ["Frankfurt; Main", 8680000, 50110000],
      ["Paris", 2352200, 48856600],
    ],
  );
});

test("stops within a town are measured in metres, and keep them in a link", () => {
  const table = "Stopp;Breitengrad;L\u00e4ngengrad\nA;48.13710;11.57540\nB;48.13520;11.58200\nC;48.14000;11.57700\n";
  const { drawing } = read(table);
  assert.equal(drawing.kind, "HAVERSINE_M");
  assert.equal(makeTour().findTour(drawing).length, 533 + 650 + 344);
  assert.equal(decode(encode(drawing)).kind, "HAVERSINE_M");
  const before = { kind: "GEO", cities: drawing.cities.map((city) => ({ ...city, x: city.x / 100, y: city.y / 100 })) };
  assert.equal(makeTour().findTour(before).length, 3); // as a link of before has it
});

test("a table without a header has x and y, and may have names; coordinates become whole", () => {
  assert.deepEqual(places(read("1,2\n\n3,4").drawing), [
    [1, 2],
    [3, 4],
  ]);
  const { drawing, factor } = read("a\t0.25\t1\nb\t0.5\t2");
  assert.equal(factor, 100);
  assert.deepEqual(places(drawing), [
    [25, 100],
    [50, 200],
  ]);
  assert.deepEqual(
    drawing.cities.map(({ name }) => name),
    ["a", "b"],
  );
});

test("numbers without a header are latitude and longitude where they look like it, unless one says otherwise", () => {
  const table = "Berlin, 52.52, 13.40\nParis, 48.86, 2.35\nQuito, -0.18, -78";
  const { drawing, factor, guessed } = read(table);
  assert.deepEqual([drawing.kind, factor, guessed], ["HAVERSINE_KM", 1, true]);
  assert.deepEqual(places(drawing), [
    [13400000, 52520000],
    [2350000, 48860000],
    [-78000000, -180000],
  ]);
  assert.deepEqual(places(read(table, true).drawing)[0], [5252, 1340]);
  const planes = [
    "52,13\n48,2", // no decimals
    "52.52,13.40\n48,2", // a row without
    "52.52,13\n48.86,2", // a column without
    "0.25,0.5\n1,0.75", // the unit square
    "52.52,180.5\n48.86,-181.5", // no longitude
    "2.5,70.5\n61.2,3.1\n33.3,34.4", // a square that begins at 0
  ];
  for (const table of planes) {
    const { drawing, guessed } = read(table);
    assert.deepEqual([drawing.kind, guessed], ["EUC_2D", false], table);
  }
});

test("a table that cannot be read is refused with its line", () => {
  const many = "1,1\n".repeat(MAX_CITIES + 1);
  const tables = [
    ["", "empty", 1],
    ["x,y", "empty", 1],
    ["hello", "columns", 1],
    ["1,2\n3,NaN", "number", 2],
    ["1,2\n3", "number", 2],
    ["1,2\n3,1e30", "far", 2],
    ["lat,lon\n91,5", "globe", 2],
    [many, "many", MAX_CITIES + 1],
  ];
  for (const [table, key, line] of tables)
    assert.throws(
      () => read(table),
      (error) => error.key === key && error.line === line,
    );
});

test("shapes have as many cities as they are asked for, on whole places of the square, no two the same", () => {
  for (const shape of ["circle", "grid", "clusters", "spiral"])
    for (const n of [3, 10, 60, MAX_CITIES]) {
      const points = makeShape(shape, n, "", randoms(n));
      assert.equal(points.length, n);
      for (const each of points.flatMap(({ x, y }) => [x, y]))
        assert.ok(Number.isInteger(each) && each >= 0 && each <= 1000);
      const places = new Set(points.map(({ x, y }) => `${x} ${y}`));
      assert.ok(shape === "clusters" || places.size === n, `${shape} ${n}`);
    }
});

test("a circle's cities are equally far apart, and a spiral's nearly so", () => {
  const steps = (shape) => {
    const points = makeShape(shape, 100, "");
    return points.slice(1).map(({ x, y }, k) => Math.hypot(x - points[k].x, y - points[k].y));
  };
  const [around, along] = [steps("circle"), steps("spiral").slice(10)];
  assert.ok(Math.max(...around) - Math.min(...around) < 3);
  assert.ok(Math.max(...along) < 1.5 * Math.min(...along));
});

test("letters are spread over their ink, upright", () => {
  const ink = []; // an L: a stem, and a foot below it
  for (let k = 0; k < 40; k += 1)
    for (let wide = 0; wide < 8; wide += 1) ink.push({ x: wide, y: k }, { x: k, y: 40 + wide });
  const points = letters(40, ink, randoms(5));
  assert.equal(points.length, 40);
  assert.equal(points.filter(({ x, y }) => x > 400 && y > 400).length, 0);
  assert.ok(points.filter(({ x, y }) => x < 400 && y > 400).length > 10);
  assert.ok(points.filter(({ x, y }) => x > 400 && y < 400).length > 10);
  assert.deepEqual(letters(5, [], randoms(5)), []);
});
