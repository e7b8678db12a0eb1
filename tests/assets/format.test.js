/* Numbers as the page writes them. */
import assert from "node:assert/strict";
import test from "node:test";
import { format } from "../../assets/common/format.js";
import { reader } from "../../assets/common/texts.js";

const { THIN, MINUS } = format;

/** Check a function of the format against what it makes of values. */
function writes(name, rows) {
  for (const [given, expected] of rows)
    test(`${name}(${given.map(String).join(", ")}) is ${expected}`, () => {
      assert.equal(format[name](...given), expected);
    });
}

writes("integer", [
  [[0], "0"],
  [[999], "999"],
  [[1000], `1${THIN}000`],
  [[24022], `24${THIN}022`],
  [[123456789], `123${THIN}456${THIN}789`],
  [[-1204], `${MINUS}1${THIN}204`],
  [[1999.5], `2${THIN}000`],
  [[-1999.5], `${MINUS}2${THIN}000`],
  [[-0.4], "0"],
]);
writes("cities", [
  [[1], "1 city"],
  [[0], "0 cities"],
  [[2392], `2${THIN}392 cities`],
]);
writes("signed", [
  [[34], "+34"],
  [[0], "±0"],
  [[0.3], "±0"],
  [[-0.4], "±0"],
  [[0.5], "+1"],
  [[-0.5], `${MINUS}1`],
  [[-1204], `${MINUS}1${THIN}204`],
  [[12000], `+12${THIN}000`],
]);
writes("percent", [
  [[0], `+0.00${THIN}%`],
  [[2.35], `+2.35${THIN}%`],
  [[-2.35], `${MINUS}2.35${THIN}%`],
  [[9.994], `+9.99${THIN}%`],
  [[9.996], `+10.0${THIN}%`],
  [[12.94], `+12.9${THIN}%`],
  [[999.4], `+999.4${THIN}%`],
  [[9014.3], `+9${THIN}014${THIN}%`],
  [[-9014.3], `${MINUS}9${THIN}014${THIN}%`],
  [[0.0049], `+0.005${THIN}%`],
  [[0.0002], `+0.0002${THIN}%`],
  [[0.00000012], `+0.0000001${THIN}%`],
]);
writes("gapPercent", [
  [[110, 100], 10],
  [[90, 100], -10],
  [[100, 100], 0],
  [[100, null], null],
  [[100, undefined], null],
  [[0, 0], 0],
  [[-3925, -3925], 0],
  [[12, 0], null],
  [[-1795, -3925], null],
  [[-1, 4], -125],
]);
writes("gap", [
  [[110, 100], `+10.0${THIN}%`],
  [[12, 0], "+12"],
  [[-1795, -3925], `+2${THIN}130`],
  [[-3926, -3925], `${MINUS}1`],
  [[0, 0], `+0.00${THIN}%`],
]);
writes("gapSentence", [
  [[24022, 21282, true], `12.9${THIN}% above optimal`],
  [[24022, 21282, false], `12.9${THIN}% above best known`],
  [[7542, 7542, true], "optimal"],
  [[7542, 7542, false], "best known"],
  [[7541, 7542, false], `0.01${THIN}% below best known`],
  [[1000000001, 1000000000, true], `0.0000001${THIN}% above optimal`],
  [[7542, null, false], "no optimum known"],
  [[7542, null, true], "no optimum known"],
  [[0, 0, true], "optimal"],
  [[12, 0, true], "12 above optimal"],
  [[-1795, -3925, true], `2${THIN}130 above optimal`],
  [[-3926, -3925, false], "1 below best known"],
]);
writes("si", [
  [[0], "0"],
  [[7], "7"],
  [[999], "999"],
  [[1.5], "1.50"],
  [[812000], `812${THIN}k`],
  [[999499], `999${THIN}k`],
  [[999500], `1.00${THIN}M`],
  [[3e18], `3.00${THIN}E`],
  [[Infinity], "–"],
]);
writes("measure", [
  [[0], "0"],
  [[0.0123], "0.0123"],
  [[1234], "1230"],
  [[4.56e-7], "4.56·10⁻⁷"],
  [[1.5e12], "1.5·10¹²"],
  [[NaN], "–"],
]);
writes("rate", [
  [[1.24e9], `1.24${THIN}G/s`],
  [[999.7], `1.00${THIN}k/s`],
  [[12], "12/s"],
  [[NaN], "–"],
]);
writes("seconds", [
  [[0], `0${THIN}s`],
  [[0.000012], `12${THIN}µs`],
  [[0.000317], `320${THIN}µs`],
  [[0.000997], `1.0${THIN}ms`],
  [[0.0015], `1.5${THIN}ms`],
  [[0.25], `250${THIN}ms`],
  [[0.9999], `1.00${THIN}s`],
  [[3.2], `3.20${THIN}s`],
  [[59.94], `59.9${THIN}s`],
  [[59.96], `1${THIN}min 00${THIN}s`],
  [[125], `2${THIN}min 05${THIN}s`],
  [[NaN], "–"],
]);
writes("span", [
  [[3.2], `3.20${THIN}s`],
  [[7199], `119${THIN}min 59${THIN}s`],
  [[7200], `2${THIN}hours`],
  [[14800], `4.1${THIN}hours`],
  [[172800], `2${THIN}days`],
  [[4e5], `4.6${THIN}days`],
  [[7.3e9], `230${THIN}years`],
  [[1e12], `32${THIN}000${THIN}years`],
  [[Infinity], "–"],
]);
writes("bytes", [
  [[0], `0${THIN}B`],
  [[999], `999${THIN}B`],
  [[999.7], `1.00${THIN}kB`],
  [[3.64e9], `3.64${THIN}GB`],
]);
writes("plural", [
  [["climber"], "climbers"],
  [["try"], "tries"],
  [["day"], "days"],
  [["pass"], "passes"],
  [["branch"], "branches"],
]);

test("numbers and units never part at the end of a line", () => {
  for (const text of [
    format.integer(24022),
    format.seconds(0.25),
    format.span(1e6),
    format.bytes(5e9),
    format.rate(5e9),
  ])
    assert.doesNotMatch(text, /[ ]/);
});
writes("missingSentence", [
  [[41, 0], ""],
  [[40, 41], ""],
  [[41, 41], "uses 1 missing edge"],
  [[95, 41], "uses 2 missing edges"],
]);

test("a city whose name begins with City is not called so twice", () => {
  const words = reader({ one: "City {city}, next city {to}." });
  assert.equal(words("one", { city: "City1", to: "City 2" }), "City1, next City 2.");
  assert.equal(words("one", { city: "Citadel", to: 3 }), "City Citadel, next city 3.");
});
