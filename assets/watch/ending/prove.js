/*
 * Prove it: if there are few cities and the optimum is unknown, a button beside the gap has Held-Karp find the optimum.
 * The run stays open, and gets its gap as soon as the optimum is known.
 */
import { readJson } from "../../common/response.js";
import { basePath, byId, clicked, setText } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { frames } from "../../common/frames.js";
import { run } from "../run.js";
import { text } from "../texts.js";

const PAUSE = 400; // milliseconds between two requests for the state of the proof
const MOST = 30; // maximum number of cities worth asking about; the server decides

let requestedRun = "";

/** @typedef {{ state: "known" | "none" | "proving" | "offered" | "refused", says: string, by: string | null }} Offer */

/**
 * Return the state of a run's proof on the server; null if the server does not respond.
 * @param {string} id
 * @param {RequestInit} [request]
 * @returns {Promise<Offer | null>}
 */
async function fetchState(id, request) {
  const query = request ? "" : `?run=${id}`;
  const answer = await fetch(`${basePath()}prove${query}`, request).catch(() => null);
  if (!answer) return null;
  const reply = await readJson(answer).catch(() => null);
  if (answer.ok || !reply) return reply;
  return { state: request ? "offered" : "none", says: reply.sentence || "", by: null }; // a person may try again
}

/** @param {Offer} offer */
function show({ state, says, by }) {
  const place = byId("prove");
  if (!place) return;
  place.hidden = state === "known" || state === "none";
  byId("prove-start").hidden = state !== "offered";
  setText("prove-sentence", says);
  byId("prove-sentence").title = says;
  byId("prove-start").title = [text("prove.title"), says].filter(Boolean).join(" ");
  const link = byId("prove-run");
  link.hidden = state !== "proving";
  if (by) link.href = `${basePath()}?run=${by}`;
}

const hide = () => show({ state: "none", says: "", by: null });

/**
 * Fetch the instance of a run again, now that its optimum is known.
 * @param {string} id
 */
async function fetchOptimum(id) {
  const answer = await fetch(`${basePath()}runs/${id}/instance`).catch(() => null);
  if (!answer?.ok || run.id !== id) return;
  run.setOptimum(/** @type {Frames["instance"]} */ (frames.decode(await answer.arrayBuffer())));
  setText("prove-announcement", text("prove.known", { length: Number(run.optimum) }));
}

/**
 * Show the state of a run's proof, and poll while it is running.
 * @param {string} id
 * @param {Offer | null} offer
 */
async function follow(id, offer) {
  if (run.id !== id || !offer) return;
  show(offer);
  if (offer.state === "known") await fetchOptimum(id);
  if (offer.state === "proving") window.setTimeout(async () => follow(id, await fetchState(id)), PAUSE);
}

/** Ask for the offer once the run has ended without a known optimum. */
function onState() {
  const { id, instance, proven } = run;
  if (!id || run.active() || !instance || instance.n > MOST || proven || requestedRun === id) return;
  requestedRun = id;
  fetchState(id).then((offer) => follow(id, offer));
}

function onClosed() {
  requestedRun = "";
  hide();
  setText("prove-announcement", "");
}

clicked("#prove-start", () => {
  const { id } = run;
  if (!id) return;
  show({ state: "proving", says: text("prove.proving"), by: null });
  fetchState(id, { method: "POST", body: JSON.stringify({ run: id }) }).then((offer) => follow(id, offer));
});
on(["opened", "state"], onState);
on("closed", onClosed);
on("proof", hide);
