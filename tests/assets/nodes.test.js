/* The list of a cluster's nodes: what each has, and what runs there. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { describeNodes } from "../../assets/nodes/list.js";

const node = (name, more = {}) => ({
  name,
  alive: true,
  cores: 4,
  gpus: 0,
  devices: ["a CPU"],
  refusal: "",
  runs: [],
  study: 0,
  ...more,
});

test("each node has a line for what it has, and one for each that runs there", () => {
  const [ada, bob] = describeNodes([
    node("ada", { runs: ["kroA100 · two-opt", "gr17 · held-karp"], study: 1 }),
    node("bob", { cores: 1, gpus: 2, devices: ["a CPU", "a GPU", "a GPU"] }),
  ]);
  assert.equal(ada.has, "4 cores: a CPU");
  assert.deepEqual(ada.does, ["kroA100 · two-opt", "gr17 · held-karp", "1 run of a study"]);
  assert.equal(bob.has, "1 core, 2 GPUs: a CPU, a GPU");
  assert.deepEqual(bob.does, []);
});

test("of a lost node and of one that refuses, it is said", () => {
  const [lost, refusing] = describeNodes([
    node("ada", { alive: false, runs: ["gone"] }),
    node("bob", { refusal: "Why." }),
  ]);
  assert.deepEqual([lost.has, lost.does], ["", ["lost"]]);
  assert.deepEqual(refusing.does, ["no runs: the server's log says why"]);
});
