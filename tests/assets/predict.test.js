/* Questions about the next step and the verdicts on answers, held against looking at everything in the plainest way. */
import assert from "node:assert/strict";
import test from "node:test";
import { page } from "./page.js";
import { sentenceOf } from "../../assets/common/question_words.js";
import { moveDelta, tourLength } from "../../assets/common/map/lengths.js";
import { makeAnswers } from "../../assets/watch/predict/answers.js";
import { classAnswers, nearestAnswer } from "../../assets/watch/predict/class_answers.js";
import { makeLetterMarks } from "../../assets/watch/predict/marks.js";
import { areApart, hasQuestions, makeQuestion } from "../../assets/watch/predict/questions.js";
import { judge, findMeant, objection } from "../../assets/watch/predict/verdicts.js";
import { randoms, shuffled } from "./made_up.js";

const N = 9;

function randomMap(seed, n = N) {
  const random = randoms(seed);
  const coordinates = Float64Array.from({ length: 2 * n }, () => Math.floor(40 * random()));
  return { n, xy: coordinates, measure: { kind: "EUC_2D", coordinates, weights: null }, labels: null, directed: false };
}

const lengthAfter = (map, order, i, j) =>
  tourLength(map, [...order.slice(0, i + 1), ...order.slice(i + 1, j + 1).reverse(), ...order.slice(j + 1)], true);

/** The one-move climb of best improvement from a random tour, by trying each pair of edges; null at an optimum. */
function bestMove(map, seed) {
  const order = shuffled(N, randoms(seed + 1000));
  const before = tourLength(map, order, true);
  let best = null;
  for (let i = 0; i < N; i += 1) {
    for (let j = i + 2; j < N - (i === 0 ? 1 : 0); j += 1) {
      const delta = lengthAfter(map, order, i, j) - before;
      if (!best || delta < best.delta) best = { i, j, delta };
    }
  }
  const { i, j, delta } = best;
  return {
    walk: "moves",
    n: N,
    count: 1,
    i: [i],
    j: [j],
    delta: Int32Array.of(delta),
    step: [],
    control: [],
    seek: () => Int32Array.from(order),
  };
}

const ask = (algorithm, climb, position, map, variant = "cpu") =>
  makeQuestion({ algorithm, variant, climb, position, map });

test("of two edges just those are right that change the length as much as the best exchange", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const map = randomMap(seed);
    const climb = bestMove(map, seed);
    const question = ask("two-opt", climb, 0, map);
    const order = [...climb.seek()];
    const before = tourLength(map, order, true);
    let rights = 0;
    for (let i = 0; i < N; i += 1) {
      for (let j = i + 1; j < N; j += 1) {
        const neighbours = j === i + 1 || (i === 0 && j === N - 1);
        assert.equal(areApart(N, i, j), !neighbours);
        assert.equal(objection(question, [i], j) === "", !neighbours);
        if (neighbours) continue;
        const change = lengthAfter(map, order, i, j) - before;
        assert.equal(moveDelta(map, order, i, j), change);
        const { right, sentence } = judge(question, [j, i], map);
        assert.equal(right, change === climb.delta[0]);
        rights += Number(right);
        if (right) continue;
        assert.match(sentence, new RegExp(change ? `yours would have .*${Math.abs(change)}` : "left the length"));
        assert.equal(
          sentence.includes("One of the two"),
          [i, j].some((k) => k === climb.i[0] || k === climb.j[0]),
        );
      }
    }
    assert.ok(rights >= 1);
  }
});

test("the pairs of a question are the edges of its tour", () => {
  const map = randomMap(3);
  const { pairs, order } = ask("two-opt", bestMove(map, 3), 0, map);
  order.forEach((city, k) => assert.deepEqual([...pairs.slice(2 * k, 2 * k + 2)], [city, order[(k + 1) % N]]));
});

test("the rule that is told is the run's", () => {
  const map = randomMap(4);
  const climb = bestMove(map, 4);
  assert.equal(ask("two-opt", climb, 0, map).rule, "best");
  assert.equal(ask("two-opt", climb, 0, { ...map, directed: true }), null);
  assert.equal(ask("two-opt", climb, 0, map, "multi-move").rule, "several");
  assert.equal(ask("tabu-search", { ...climb, step: [1] }, 0, map).rule, "tabu");
  for (const step of [[], [0], [-1]]) assert.equal(ask("tabu-search", { ...climb, step }, 0, map), null);
});

test("a better exchange than that of a tabu search was tabu, or not looked at", () => {
  const map = randomMap(5);
  const climb = bestMove(map, 5);
  const [i, j] = [climb.i[0], climb.j[0]];
  const other = { ...climb, step: [1], i: [i ? 0 : 1], j: [i ? 2 : 4], delta: Int32Array.of(99) };
  assert.match(judge(ask("tabu-search", other, 0, map), [i, j], map).sentence, /Yours was tabu/);
  assert.doesNotMatch(judge(ask("two-opt", { ...other, step: [] }, 0, map), [i, j], map).sentence, /tabu/);
});

test("annealing is asked what is recorded of its draws, and told how it was before", () => {
  const delta = Int32Array.of(5, -3, 0, 7, -9, 4, -1, -2);
  const step = Float64Array.of(1, 2, 5, 6, 9, 12, 0, -1); // the last two lead back, and shorten the best tour
  const control = Float64Array.from({ length: 8 }, (_, k) => 40 - k);
  const climb = { walk: "moves", n: N, count: 8, delta, step, control };
  const map = randomMap(1);
  for (let position = 0; position < 6; position += 1) {
    const question = ask("simulated-annealing", climb, position, map);
    const draws = step[position] - (position ? step[position - 1] : 0);
    assert.equal(question.what, position % 2 ? "accepted" : "longer");
    assert.equal(question.temperature, control[position]);
    const truth = position % 2 ? draws === 1 : delta[position] > 0;
    for (const noteText of [0, 1]) assert.equal(judge(question, [noteText], map).right, Boolean(noteText) === truth);
    const { sentence } = judge(question, [1], map);
    const uphill = delta.slice(0, position).filter((change) => change > 0).length;
    if (position % 2) assert.match(sentence, new RegExp(`Of the ${step[position - 1]} draws .* ${position} were`));
    else if (position) assert.match(sentence, new RegExp(`the ${position} accepted .* ${uphill} made`));
    if (position % 2 && draws === 4) assert.match(sentence, /rejected, as 3 draws/);
  }
  for (const position of [6, 7, 8]) assert.equal(ask("simulated-annealing", climb, position, map), null);
  assert.equal(ask("simulated-annealing", climb, 0, { ...map, directed: true }), null);
  const former = { ...climb, step: new Float64Array(0), control: new Float64Array(0) };
  const question = ask("simulated-annealing", former, 1, map);
  assert.deepEqual([question.what, question.temperature], ["longer", null]);
});

/** A construction along a tour. */
function along(order) {
  const edges = Int32Array.from(order.flatMap((city, k) => [city, order[(k + 1) % order.length]]));
  return { walk: "edges", count: order.length, edges };
}

test("of cities all are open that are not visited, and those as near as the nearest are right", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const map = randomMap(seed);
    const order = [0];
    while (order.length < N) {
      const from = order.at(-1);
      const rest = [...Array(N).keys()].filter((city) => !order.includes(city));
      order.push(rest.sort((a, b) => tourLength(map, [from, a]) - tourLength(map, [from, b]) || a - b)[0]);
    }
    const climb = along(order);
    for (let position = 0; position < N; position += 1) {
      const question = ask("nearest-neighbour", climb, position, map);
      assert.equal(question === null, position > N - 3); // one city is left, or none
      if (!question) continue;
      const [from, to] = order.slice(position, position + 2);
      for (let city = 0; city < N; city += 1) {
        assert.equal(question.open(city), !order.slice(0, position + 1).includes(city));
        if (!question.open(city)) continue;
        const near = tourLength(map, [from, city]) === tourLength(map, [from, to]);
        assert.equal(judge(question, [city], map).right, near);
        assert.equal(judge(ask("ant-system", climb, position, map), [city], map).right, city === to);
      }
    }
  }
});

test("of edges a greedy construction adds the shortest that fits, of those that are open", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const map = randomMap(seed);
    const all = [];
    for (let a = 0; a < N; a += 1) for (let b = a + 1; b < N; b += 1) all.push([tourLength(map, [a, b]), a, b]);
    all.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
    const chosen = [];
    const part = [...Array(N).keys()]; // the fragment of each city
    const degree = new Array(N).fill(0);
    const fits = (a, b) => degree[a] < 2 && degree[b] < 2 && part[a] !== part[b];
    const states = [];
    for (const [, a, b] of all) {
      if (!fits(a, b)) continue;
      states.push({ degree: [...degree], part: [...part] });
      chosen.push(a, b);
      degree[a] += 1;
      degree[b] += 1;
      const [from, into] = [part[a], part[b]];
      part.forEach((fragment, city) => (part[city] = fragment === from ? into : fragment));
    }
    chosen.push(...degree.flatMap((count, city) => (count < 2 ? [city] : [])));
    const climb = { walk: "edges", count: N, edges: Int32Array.from(chosen) };
    states.forEach((state, position) => {
      const question = ask("greedy", climb, position, map);
      const result = tourLength(map, chosen.slice(2 * position, 2 * position + 2));
      for (const [length, a, b] of all) {
        assert.equal(question.open(a), state.degree[a] < 2);
        if (!question.open(a) || !question.open(b)) continue;
        const can = state.part[a] !== state.part[b];
        const { right, sentence } = judge(question, [b, a], map);
        assert.equal(right, can && length === result);
        assert.equal(sentence.includes("cycle"), !can);
      }
    });
    assert.equal(ask("greedy", climb, N - 1, map), null);
  }
});

test("what a finger could have meant is right where the right one is among it", () => {
  const map = randomMap(6);
  const question = ask("two-opt", bestMove(map, 6), 0, map);
  const wrong = [...Array(N).keys()].filter((k) => k !== question.i && k !== question.j);
  assert.equal(findMeant(question, [wrong[0], question.j]), question.j);
  assert.equal(findMeant(question, [wrong[1], wrong[0]]), wrong[1]);
});

test("what no record can answer is not asked", () => {
  for (const algorithm of ["held-karp", "random", "genetic-algorithm", "given"]) {
    assert.equal(hasQuestions(algorithm), false);
    assert.equal(ask(algorithm, along(shuffled(N, randoms(1))), 0, randomMap(1)), null);
  }
});

/** The picks that an answer stands for: positions of edges of a tour, or cities. */
function picksOf(question, cities) {
  if (question.kind !== "edges") return cities;
  const at = (a, b) => question.order.findIndex((city, k) => city === a && question.order[(k + 1) % N] === b);
  return [at(cities[0], cities[1]), at(cities[2], cities[3])];
}

/** The greedy construction after its first edge, with its second one. */
function greedyClimb(map) {
  const all = [];
  for (let a = 0; a < N; a += 1) for (let b = a + 1; b < N; b += 1) all.push([tourLength(map, [a, b]), a, b]);
  all.sort((one, other) => one[0] - other[0]);
  return { walk: "edges", count: N, edges: Int32Array.from(all.slice(0, N).flatMap(([, a, b]) => [a, b])) };
}

test("a class has one right answer to choose, wherever it stands, and no two share a city", () => {
  const rights = new Set();
  for (let seed = 1; seed <= 40; seed += 1) {
    const map = randomMap(seed);
    const tour = along(shuffled(N, randoms(seed)));
    for (const [question, most] of [
      [ask("two-opt", bestMove(map, seed), 0, map), 3],
      [ask("ant-system", tour, 2, map), 4],
      [ask("nearest-neighbour", tour, 1, map), 4],
      [ask("greedy", greedyClimb(map), 1, map), 4],
    ]) {
      const made = makeAnswers(question, map, randoms(seed));
      if (!made) continue; // all others are as good
      assert.ok(made.answers.length >= 2 && made.answers.length <= most);
      assert.equal(new Set(made.answers.map(sentenceOf)).size, made.answers.length);
      const judged = made.cities.map((cities) => judge(question, picksOf(question, cities), map).right);
      assert.deepEqual(
        judged,
        judged.map((_, k) => k === made.right),
      );
      assert.equal(new Set(made.cities.flat()).size, made.cities.flat().length);
      rights.add(made.right);
      const [lines, letters] = makeLetterMarks(map, made.cities);
      assert.equal(lines.length, made.answers.length);
      const marked = letters.map(({ cities, letter }) => [letter, ...cities]);
      const expected = made.cities.flatMap((cities, k) =>
        [cities.slice(0, 2), cities.slice(2)].filter((ends) => ends.length).map((ends) => ["ABCD"[k], ...ends]),
      );
      assert.deepEqual(marked, expected, "a letter for each city or edge");
    }
  }
  assert.deepEqual([...rights].sort(), [0, 1, 2, 3]);
});

test("wrong answers are near: of cities the nearest that are open", () => {
  const map = randomMap(2);
  const order = shuffled(N, randoms(9));
  const question = ask("ant-system", along(order), 1, map);
  const made = makeAnswers(question, map, randoms(1));
  const far = ([city]) => tourLength(map, [question.from, city]);
  const open = [...Array(N).keys()].filter((city) => question.open(city) && city !== question.to);
  const nearest = open.map((city) => far([city])).sort((a, b) => a - b);
  const wrong = made.cities.filter((_, k) => k !== made.right).map(far);
  assert.deepEqual(
    wrong.sort((a, b) => a - b),
    nearest.slice(0, 3),
  );
});

test("a tap on the map means the answer whose city or edge is nearest, within reach", () => {
  const map = { xy: Float64Array.of(0, 0, 100, 0, 0, 100, 100, 100) };
  const place = { scale: 1, ratio: 1, x: 0, y: 100, fit: 1 };
  const tap = (x, y, among) => nearestAnswer(map, place, { x, y }, "touch", among);
  assert.equal(
    tap(50, 110, [
      [2, 3],
      [0, 1],
    ]),
    1,
  ); // y upwards: the edge from 0 to 1 is below
  assert.equal(
    tap(50, 5, [
      [2, 3],
      [0, 1],
    ]),
    0,
  );
  assert.equal(
    tap(50, 50, [
      [2, 3],
      [0, 1],
    ]),
    -1,
  );
  assert.equal(tap(95, 90, [[0], [2], [1]]), 2);
  assert.equal(tap(50, 100, [[0], [2], [1]]), -1);
});

test("while the class is asked, the last step is not explained", () => {
  const stage = new Element("div", { class: "stage" });
  page.elements.push(stage);
  const shown = [[[0, 1]], []].map((answers) => {
    classAnswers.letter(answers, null);
    return stage.dataset.asked;
  });
  assert.deepEqual(shown, ["true", "false"]);
});

test("a choice has its two answers and no marks", () => {
  const step = Float64Array.of(1, 2, 5, 6);
  const climb = { walk: "moves", n: N, count: 4, delta: Int32Array.of(5, -3, 0, 7), step, control: [] };
  for (const position of [0, 1, 2, 3]) {
    const question = ask("simulated-annealing", climb, position, randomMap(1));
    const { answers, right, cities } = makeAnswers(question, randomMap(1), randoms(position));
    assert.deepEqual([answers.length, cities], [2, null]);
    assert.equal(/^(Accepted|Longer|Yes)/.test(sentenceOf(answers[right])), question.yes);
  }
});

test("with nothing else to choose there are no answers", () => {
  const map = { ...randomMap(1, 3), n: 3 };
  const question = { kind: "city", needs: 1, rule: "ant", from: 0, to: 1, open: (city) => city === 1 };
  assert.equal(makeAnswers(question, map), null);
});
