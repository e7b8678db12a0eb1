/* Start: the run is opened at once, and Dash is told of it after the first picture. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { stats } from "../../assets/common/frame_stats.js";
import { instanceFrame } from "../../assets/instances/data.js";
import { start } from "../../assets/watch/launch.js";
import { run } from "../../assets/watch/run.js";

const FORM = ["berlin52", "two-opt", [{ type: "parameter", name: "climbers" }], [7], 1, undefined, "auto"];
const SAME = Symbol("unchanged");
let posted = null;
let answer = null;

beforeEach(() => {
  run.reset(null);
  stats.reset();
  page.told.length = 0;
  page.window.dash_clientside.no_update = SAME;
  page.elements.push(new Element("button", { id: "start" }));
  globalThis.fetch = async (address, { body }) => {
    posted = [address, JSON.parse(body)];
    return answer.clone();
  };
});

const says = (value, init = {}) => Response.json(value, init);

test("a run is opened at once, and told after its first picture", async () => {
  answer = says({ run: "r", search: "?run=r" });
  let details = null;
  start(1, ...FORM).then((outputs) => (details = outputs));
  await page.pass(1);
  assert.deepEqual(posted, [
    "/start",
    {
      instance: "berlin52",
      algorithm: "two-opt",
      params: { climbers: 7 },
      seed: 1,
      seconds: null,
      device: "auto",
      threads: null,
    },
  ]);
  assert.equal(run.id, "r");
  await page.pass(100);
  assert.equal(details, null, "the first picture is still to come");
  assert.deepEqual(page.told, [], "no store is told before it");
  stats.drawn();
  await page.pass(20);
  assert.deepEqual(details, [{ run: "r" }, "?run=r", "", null]);
  assert.deepEqual(page.told.at(-1)[0], "progress");
});

test("a run without a picture is told half a second later", async () => {
  answer = says({ run: "s", search: "?run=s" });
  let details = null;
  start(1, ...FORM).then((outputs) => (details = outputs));
  await page.pass(450);
  assert.equal(details, null);
  await page.pass(100);
  assert.deepEqual(details, [{ run: "s" }, "?run=s", "", null]);
});

test("a refusal opens nothing", async () => {
  answer = says({ note: "Seed: enter a number.", wrong: "seed" });
  const details = start(1, ...FORM);
  await page.pass(1);
  assert.deepEqual(await details, [SAME, SAME, "Seed: enter a number.", "seed"]);
  assert.equal(run.id, null);
});

test("what the form says already is not said again, but seen to be meant at every press", async () => {
  const note = Object.assign(new Element("div", { id: "needs-note" }), { textContent: "It does not fit." });
  const seen = []; // whether it stood without its mark as it was brought into view
  note.scrollIntoView = () => seen.push(note.dataset.heard === undefined);
  page.elements.push(note);
  answer = says({ note: "It does not fit.", wrong: null });
  const details = start(1, ...FORM);
  await page.pass(1);
  assert.deepEqual(await details, [SAME, SAME, "", null]);
  const again = start(2, ...FORM);
  await page.pass(1);
  await again;
  assert.deepEqual([seen, note.dataset.heard], [[true, true], "true"]);
  answer = says({ note: "Seed: enter a number.", wrong: "seed" });
  const other = start(3, ...FORM);
  await page.pass(1);
  assert.deepEqual(await other, [SAME, SAME, "Seed: enter a number.", "seed"]);
  assert.equal(seen.length, 2, "another sentence is said below Start");
});

test("why the server's door refuses is told", async () => {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  answer = new Response("Too many requests: wait 5 s.", { status: 429, headers });
  assert.deepEqual(await start(1, ...FORM), [SAME, SAME, "Too many requests: wait 5 s.", null]);
  answer = says({ sentence: "The disk is full." }, { status: 500 });
  assert.deepEqual(await start(1, ...FORM), [SAME, SAME, "The disk is full.", null]);
  answer = new Response("<html>", { status: 502, headers: { "content-type": "text/html" } });
  assert.deepEqual(await start(1, ...FORM), [SAME, SAME, "The server's answer cannot be read.", null]);
});

test("the document knows the base path before it has a layout", async () => {
  page.document.documentElement.dataset.basePath = "/tours/";
  globalThis.fetch = async (address) => {
    posted = [address];
    return new Response("", { status: 404 });
  };
  await instanceFrame({ name: "berlin52" });
  delete page.document.documentElement.dataset.basePath;
  assert.deepEqual(posted, ["/tours/instance?ref=%7B%22name%22%3A%22berlin52%22%7D"]);
});

test("a server that does not answer is told in a sentence", async () => {
  globalThis.fetch = async () => Promise.reject(new TypeError("Failed to fetch"));
  assert.deepEqual(await start(1, ...FORM), [SAME, SAME, "The server is not answering.", null]);
});
