/* The stream: what a page asks the server for, and asks again after a cut. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { stream } from "../../assets/common/stream.js";
import { encode } from "./encoded.js";

const sockets = [];
globalThis.WebSocket = class {
  static OPEN = 1;

  constructor() {
    Object.assign(this, { readyState: 1, told: [] });
    sockets.push(this);
  }

  send(text) {
    this.told.push(JSON.parse(text));
  }
};

test("after a cut a run goes on behind the last event that came", async () => {
  stream.connect();
  sockets[0].onopen();
  stream.open("r");
  const values = { what: "log", run: "r", message: 1, state: "running", reason: "", seqs: [4, 7], fields: [] };
  sockets[0].onmessage({ data: encode("message", values, {}) });
  sockets[0].onclose();
  await page.pass(100);
  sockets[1].onopen();
  assert.deepEqual(sockets[1].told[0], { op: "open", run: "r", after: 7 });
});
