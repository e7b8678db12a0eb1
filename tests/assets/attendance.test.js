/* What a page does in a lecture, message by message and press by press. */
import assert from "node:assert/strict";
import test from "node:test";
import { mode, reduce } from "../../assets/lecture/attendance.js";

const HERE = { page: "race", isStage: true, now: { on: false }, isFirst: true, leads: "", mine: "", left: "" };
const START = { ...HERE, stopped: "", along: false, notice: null };
const GOES = { on: true, lecture: "a", page: "race", query: "id=r", run: "" };
const OVER = { on: false };

const after = (from, ...actions) => actions.reduce((state, [action, value]) => reduce(state, action, value), from);
const modes = (from, ...actions) => actions.map((_, k) => mode(after(from, ...actions.slice(0, k + 1))));

test("who is on the lecturer's page when it begins follows, and may leave and come back", () => {
  const actions = [["receive", GOES], ["leave"], ["rejoin"], ["receive", OVER], ["close"]];
  assert.deepEqual(modes(START, ...actions), ["follows", "left", "follows", "over", "none"]);
});

test("who follows goes along to other pages, and who came by themselves stays", () => {
  const elsewhere = { ...GOES, page: "study" };
  assert.equal(mode(after(START, ["receive", GOES], ["receive", elsewhere])), "follows");
  assert.equal(mode(after(START, ["receive", elsewhere])), "away");
  assert.equal(mode(after(START, ["receive", elsewhere], ["receive", GOES])), "away", "nobody loses a form");
  assert.equal(mode(after({ ...START, along: true }, ["receive", GOES])), "follows", "moved here by the lecture");
});

test("who has left another page stays away until the link is taken", () => {
  const left = { ...START, left: "a" };
  assert.equal(mode(after(left, ["receive", GOES])), "left");
  assert.equal(mode(after(left, ["forget"], ["receive", GOES])), "follows");
  assert.equal(mode(after(left, ["receive", { ...GOES, lecture: "b" }])), "follows", "that was another lecture");
});

test("only one who follows can leave", () => {
  assert.equal(after(START, ["leave"]).left, "");
  assert.equal(after(START, ["lead", "a"], ["leave"]).left, "");
});

test("a page leads once the server has heard of it, until it stops", () => {
  const led = modes(START, ["lead", "a"], ["receive", GOES], ["stop"], ["receive", GOES]);
  assert.deepEqual(
    led,
    ["waits", "leads", "none", "none"],
    "what comes late of the lecture that it stopped is ignored",
  );
});

test("a tab leads on after a reload, unless its lecture is over or another's", () => {
  const tab = { ...START, mine: "a" };
  assert.equal(mode(after(tab, ["receive", GOES])), "leads");
  assert.equal(mode(after(tab, ["receive", OVER])), "waits");
  const late = after(tab, ["receive", { ...GOES, lecture: "b", page: "study" }], ["receive", GOES]);
  assert.deepEqual([late.leads, late.mine], ["", ""]);
});

test("a page that may no longer lead says why, until that is closed or a lecture begins", () => {
  const led = [
    ["lead", "a"],
    ["receive", GOES],
  ];
  const refused = after(START, ...led, ["refuse", "Somebody else leads."], ["receive", OVER]);
  assert.deepEqual([mode(refused), refused.notice, refused.mine], ["stopped", "Somebody else leads.", ""]);
  assert.equal(mode(after(refused, ["close"])), "none");
  assert.equal(after(refused, ["receive", GOES]).notice, null);
  assert.equal(mode(after(START, ...led, ["receive", OVER])), "over");
});
