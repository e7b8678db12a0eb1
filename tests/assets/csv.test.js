/* CSV and names of files that a person takes away. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { csv, fileName, plain } from "../../assets/common/saving/download.js";
import { points } from "../../assets/common/saving/export.js";

const line = (...fields) => csv([fields]).replace(/\r\n$/, "");

test("rows end as RFC 4180 has it, and fields are quoted where they must be", () => {
  const rows = [
    ["name", "value"],
    ["a, b", 1.5],
    ['say "a"', -3],
    ["two\nlines", null],
    ["", undefined],
  ];
  assert.equal(csv(rows), 'name,value\r\n"a, b",1.5\r\n"say ""a""",-3\r\n"two\nlines",\r\n,\r\n');
});

for (const sign of ["=", "+", "-", "@", "\t", "\r"])
  test(`no text that begins with ${JSON.stringify(sign)} is a formula to a spreadsheet`, () => {
    const text = `${sign}cmd|'/c calc'!A1`;
    const field = line(text).replace(/^"(.*)"$/s, "$1");
    assert.equal(field, `'${text}`);
  });

test("a formula that must be quoted is guarded within its quotes", () => {
  assert.equal(line('=A1&"x,y"'), '"\'=A1&""x,y"""');
});

test("numbers are left alone, as numbers and as text", () => {
  assert.equal(line(-3, 0, 1e-7, -2.5, "-3", "+4.5", "-1e9"), "-3,0,1e-7,-2.5,-3,+4.5,-1e9");
});

test("a sign within a text is left alone", () => {
  assert.equal(line("two-opt", "a=b", "me@home", "−5 %"), "two-opt,a=b,me@home,−5 %");
});

test("a file's name has no other characters than letters, digits and ._-", () => {
  assert.equal(fileName("berlin52", "two-opt", 7542), "berlin52-two-opt-7542");
  assert.equal(fileName("../a b/ü?.tsp", "x"), "a-b-.tsp-x");
  assert.equal(fileName("köln", null, undefined), "k-ln");
  assert.equal(fileName("climb", 0), "climb-0");
  assert.equal(fileName("???"), "tour");
  assert.equal(fileName("x".repeat(99)).length, 60);
});

test("text for Plotly has no markup", () => {
  assert.equal(plain("<b>a & b</b>"), "&lt;b>a &amp; b&lt;/b>");
});

test("a chart whose points are no numbers to keep says what its rows are", () => {
  const bdata = btoa(String.fromCharCode(...new Uint8Array(Float64Array.of(3, 1).buffer)));
  const columns = { from: [1, 2], tours: { dtype: "f8", bdata } };
  const data = [{ name: "drawn", x: [0, 1], y: [0, 1] }];
  assert.deepEqual(points({ data, layout: { meta: { columns } } }), [
    ["from", "tours"],
    [1, 3],
    [2, 1],
  ]);
  assert.deepEqual(points({ data, layout: {} })[1], ["drawn", 0, 0]);
});
