/*
 * The bound beside the gap: a button that requests the bound, its progress, and the gap between the best tour and the
 * bound. Results reach every viewer through the stream.
 */
import { readJson } from "../../common/response.js";
import { basePath, byId, clicked, setText } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { part } from "../../common/loading/parts.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";

let refused = ""; // the server's reason for refusing the last request
let asking = false;

/** Return the best length so far, null before the first. */
const best = () => run.best?.length ?? run.bests[3].at(-1) ?? null;

/**
 * Describe how far the best tour lies above the bound, or that they are equal.
 * @param {number} bound
 */
function compareWithBound(bound) {
  const length = best();
  if (length === bound) return text("bound.tight");
  const gap = length === null ? null : run.boundGap(length);
  return gap === null ? "" : text("bound.gap", { gap });
}

/** Return the bound or, if none was computed, the length that the run itself proved to be the shortest. */
const shownLength = () => run.lowerBound() ?? (run.proof ? run.optimum : null);

/** Return whether the best tour is known to be optimal, so that a bound is of interest only for its own sake. */
const isSettled = () => run.proven && run.optimum !== null && best() === run.optimum;

/** Return the short note beside the button. */
function noteText() {
  if (refused) return refused;
  const { state, why, length } = run.bound?.values ?? { state: "none", why: "", length: null };
  if (state === "failed") return why;
  if (state === "waiting") return text("bound.waiting");
  if (state === "none" && run.proof) return text("bound.tight");
  if (state === "none") return isSettled() ? text("bound.settled") : "";
  return length === null ? text("bound.computing") : compareWithBound(length);
}

/** Describe how the bound was computed, as a tooltip. */
function describeMethod() {
  const { bound } = run;
  if (!bound || bound.values.length === null) return "";
  const { trees, seconds, state, ended } = bound.values;
  const values = { trees, seconds: format.seconds(seconds) };
  if (state === "computing") return text("bound.how.now", values);
  return ended ? text("bound.how", values) : text("bound.how.cut", values);
}

function show() {
  const place = byId("bound");
  if (!place) return;
  const state = run.bound?.values.state ?? "none";
  place.hidden = !run.id || !run.instance || run.instance.n < 3;
  const length = shownLength();
  byId("bound-start").hidden = !(state === "none" || state === "failed") || asking || length !== null;
  byId("bound-start").className = isSettled() ? "button quiet" : "button";
  setText("bound-sentence", noteText());
  byId("bound-sentence").title = [noteText(), describeMethod()].filter(Boolean).join(" ");
  setText("bound-length", length === null ? "" : format.integer(length));
  byId("bound-why").hidden = state !== "done" || Boolean(tour.map()?.directed);
  setText("bound-announcement", state === "done" && length !== null ? text("bound.told", { bound: length }) : "");
}

/**
 * Request the bound of a run's instance.
 * @param {string} id
 */
async function requestBound(id) {
  asking = true;
  show();
  const answer = await fetch(`${basePath()}runs/${id}/bound`, { method: "POST" }).catch(() => null);
  const reply = answer && !answer.ok ? await readJson(answer).catch(() => null) : null;
  asking = false;
  if (run.id !== id) return;
  refused = answer?.ok ? "" : reply?.sentence || text("launch.silent");
  show();
}

/** Return the length with which the 1-tree is compared. */
function findComparedLength() {
  const { optimum, proven } = run;
  if (optimum !== null) return { length: optimum, known: proven ? "optimum" : "best-known" };
  return { length: best(), known: "best" };
}

/** Show what proves the bound; the dialog is fetched when it is first opened. */
async function openPicture() {
  const map = tour.map();
  if (!run.id || !map) return;
  const modules = await part("lower_bound");
  /** @type {typeof import("../../lower_bound/dialog.js")} */
  const { open } = modules["lower_bound/dialog.js"];
  await open(`${basePath()}runs/${run.id}`, map, { ...findComparedLength(), best: run.best });
}

function clear() {
  refused = "";
  show();
}

clicked("#bound-why", openPicture);
clicked("#bound-start", () => run.id && requestBound(run.id));
on(["opened", "bound", "proof", "best", "log"], show);
on("closed", clear);
