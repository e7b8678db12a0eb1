/* What the library's list is narrowed down to, as the address has it. */
import assert from "node:assert/strict";
import test from "node:test";
import { clearFilters, FACETS, isFiltered, orderBy, read, write } from "../../assets/library/query.js";

const PLAIN = read("");

test("an address without a query asks for the newest of all", () => {
  assert.deepEqual(PLAIN, {
    q: "",
    kind: [],
    algorithm: [],
    instance: [],
    tag: [],
    state: [],
    lanes: false,
    sort: "created",
    up: false,
    from: 0,
    limit: 100,
    compare: [],
  });
  assert.equal(write(PLAIN), "");
});

test("a link of an earlier release has the state of races that it called over", () => {
  assert.deepEqual(read("?state=over&state=failed&state=finished").state, ["finished", "failed"]);
});

const QUERIES = {
  words: { q: "the best & = ? # + % one" },
  letters: { q: "Étude 旅行 🚀" },
  "one of each filter": {
    kind: ["race"],
    algorithm: ["two-opt"],
    instance: ["gr17"],
    tag: ["good"],
    state: ["failed"],
  },
  "many of one filter": { tag: ["a,b", "c&d", "e f"] },
  lanes: { lanes: true },
  "the longest": { sort: "length", up: false },
  "the shortest": { sort: "length", up: true },
  "the least gap": { sort: "gap", up: true },
  "the greatest gap": { sort: "gap", up: false },
  "the oldest": { up: true },
  "a page behind": { from: 1500 },
  comparison: { compare: ["aaaaaaaaaaaa", "bbbbbbbbbbbb"] },
  everything: { q: "x", kind: ["run", "study"], lanes: true, sort: "size", up: true, from: 500, compare: ["a", "b"] },
};
for (const [name, given] of Object.entries(QUERIES))
  test(`a query of ${name} comes back from its address`, () => {
    const query = { ...PLAIN, ...given };
    assert.deepEqual(read(write(query)), query);
  });

test("what goes without saying is left out of the address", () => {
  assert.equal(write({ ...PLAIN, sort: "gap", up: true, tag: ["good"] }), "?tag=good&sort=gap");
  assert.equal(write({ ...PLAIN, sort: "gap", up: false }), "?sort=gap&up=0");
  assert.equal(write({ ...PLAIN, compare: ["a", "b"] }), "?compare=a,b");
});

test("an order that there is not is the one by age", () => {
  for (const search of ["?sort=nothing", "?sort=", "?sort=constructor"])
    assert.deepEqual([read(search).sort, read(search).up], ["created", false]);
});

test("a list begins at a whole page", () => {
  const places = { 0: 0, 7: 0, 499: 0, 500: 500, 1000: 1000, 1499: 1000, 999999: 999500 };
  for (const [from, place] of Object.entries(places)) assert.equal(read(`?from=${from}`).from, place);
  for (const from of ["-500", "1e3", "1000000", "x", ""]) assert.equal(read(`?from=${from}`).from, 0);
});

test("a value that is asked for twice counts once", () => {
  assert.deepEqual(read("?tag=a&tag=b&tag=a").tag, ["a", "b"]);
});

test("empty runs of a comparison are left out", () => {
  assert.deepEqual(read("?compare=,a,,b,").compare, ["a", "b"]);
});

test("words and filters narrow a list, its order and its lanes do not", () => {
  assert.equal(isFiltered({ ...PLAIN, sort: "gap", lanes: true }), false);
  assert.equal(isFiltered({ ...PLAIN, q: "x" }), true);
  for (const facet of FACETS) assert.ok(isFiltered({ ...PLAIN, [facet]: ["x"] }), facet);
  const all = { ...PLAIN, q: "x", tag: ["a"], state: ["failed"], sort: "gap", lanes: true };
  const after = { ...all, ...clearFilters() };
  assert.equal(isFiltered(after), false);
  assert.deepEqual([after.sort, after.lanes], ["gap", true]);
});

test("a column orders its own way first, and the other way round when it is asked again", () => {
  const by = (sort, query) => ({ ...query, ...orderBy(query, sort) });
  const once = by("gap", PLAIN);
  assert.deepEqual([once.sort, once.up], ["gap", true]);
  assert.deepEqual([by("gap", once).up, by("gap", by("gap", once)).up], [false, true]);
  assert.deepEqual(by("length", once).up, false);
});
