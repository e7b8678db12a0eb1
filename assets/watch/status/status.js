/* The page's texts about a run: its best length and rate, the state and the progress bar. */
import "../tour/hud.js";
import { byId, setText, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { named } from "../../common/map/units.js";
import { wait } from "../../common/waiting.js";
import { requestedCount, share } from "./extent.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { mark } from "../tour/mark.js";
import { comparedTo, sharedSentence } from "../tour/shared_edges.js";
import { tour } from "../tour/tour.js";

const { NONE } = format;
const QUARTER = 250; // milliseconds: numbers change at most four times a second
/**
 * @typedef {"time" | "evaluations" | "iterations" | "no-improvement" | "target" | "preparation"} Limit of a run's
 *   budget
 */
const LIMITS = /** @type {Limit[]} */ ([
  "time",
  "evaluations",
  "iterations",
  "no-improvement",
  "target",
  "preparation",
]);
const FAULTS = ["failed", "interrupted"];

let refused = "";
/** @type {{ id: string | null, cities: string | undefined, length: number } | null} */
let last = null; // the best tour of the visitor's open run, or of their previous run until the open one has a tour
/** @type {number | null} */
let before = null; // the best length of the previous run, on the same cities
/**
 * Return the switch that shows the optimal tour below the tour.
 * @returns {HTMLInputElement | null}
 */
export const optimalSwitch = () => document.querySelector("input#show-optimal, #show-optimal input");
/**
 * Return the switch that distinguishes the tour's edges by whether the optimal tour has them.
 * @returns {HTMLInputElement | null}
 */
export const sharedSwitch = () => document.querySelector("input#show-shared, #show-shared input");

/**
 * Enable the switches if an optimal tour is known.
 * @param {TourMap} map
 */
function offerOptimal({ optimalTour }) {
  for (const [box, title] of /** @type {const} */ ([
    [optimalSwitch(), text("legend.optimal.title")],
    [sharedSwitch(), text("legend.shared.title")],
  ])) {
    if (!box) continue;
    box.disabled = !optimalTour;
    if (box.parentElement) box.parentElement.title = optimalTour ? title : text("legend.optimal.none");
  }
}

/** Show how many edges of the best tour are in the optimal tour; if that is known, the text's place is reserved. */
function showShared() {
  const place = byId("tour-shared");
  if (!place) return;
  const map = tour.map();
  const order = run.best?.order;
  place.hidden = !run.id || !map?.optimalTour;
  const compared = map && order && order.length === map.n ? comparedTo(map, { order }) : null;
  setText("tour-shared", map && compared ? text("shared.of-best", { shared: sharedSentence(map, compared) }) : "");
}

/** Explain why a started run does not count time yet. */
function explainWaiting() {
  const { id, state, reason, compiling } = run;
  wait("compiling", id && state === "running" && compiling ? text("state-compiling") : "");
  wait("queued", id && state === "queued" ? waiting(Number(reason) - 1) : "");
}

/** Return the state of the run in words. */
function stateText() {
  const { id, state, reason, compiling, finished } = run;
  if (refused) return refused;
  if (!id || state === "none") return "";
  if (state === "queued" || (state === "running" && compiling)) return ""; // `waits` describes this state
  if (state !== "finished") {
    return sentence(text(`state.${state}`), reason !== state && reason, state === "cancelled" && verdict());
  }
  const end = finished ? finished.stop_reason : reason;
  const limit = LIMITS.find((limit) => limit === end);
  const head = finished
    ? text("state.finished.seconds", { seconds: format.seconds(finished.seconds) })
    : text("state.finished");
  const why = limit ? text(`state.end.${limit}`) : end !== "completed" && end;
  return sentence(head, why, limit === "time" && describeReached(), verdict());
}

/**
 * Explain why a run has not started.
 * @param {number} count of runs that wait ahead of it
 */
const waiting = (count) => (count > 0 ? text("queued.behind", { count }) : text("queued.next"));

/** Return "37 of 1 000 climbers", if the requested number is known and fewer were completed. */
function describeReached() {
  const all = requestedCount();
  const done = Math.max(run.rows, run.iterations);
  const units = format.plural(run.units().iteration);
  return done < all && text("reached", { done, all, units });
}

/** State whether an exact solution is complete; empty for other algorithms. */
function verdict() {
  const { proof, adopted, best, units, describeQuality } = run;
  if (!units().exact) return "";
  return proof && best ? describeQuality(best.length) : text(adopted ? "state.imported" : "state.cut");
}

/**
 * Describe the state of a run: "Finished in 10.0 s: time is up."
 * @param {string} state
 * @param {(string | false)[]} more
 */
function sentence(state, ...more) {
  const why = more.filter(Boolean).join("; ").replace(/\.$/, "");
  return why ? text("sentence.why", { state, why }) : text("sentence.alone", { state });
}

/**
 * Describe the variant and the device, and whether the run ignores its seed: "strip on NVIDIA H200, exact distances".
 */
function deviceText() {
  const { started } = run;
  if (!started) return "";
  const { variant, repeatable } = started;
  const device = started.device
    .replace(/(\d+) threads?$/, (_, count) => text("run.threads", { count: Number(count) }))
    .replace(/(\d),(?=\d{3})/g, `$1${format.THIN}`);
  const way = variant ? text("run.device", { variant, device }) : device;
  const where = repeatable ? way : text("run.not-repeatable", { device: way });
  return run.finished ? text("run.worked", { device: where, work: workText(run.finished.evaluations) }) : where;
}

/**
 * Describe the total work of a run: "514 741 000 moves tried", "5 200 tours".
 * @param {number} count
 */
function workText(count) {
  const { evaluation, step } = run.units();
  const counted = `${format.integer(count)} ${count === 1 ? format.unit(evaluation) : format.plural(evaluation)}`;
  return evaluation === step ? text("chart.axis.tried", { counted }) : counted;
}

/**
 * Return the best length, its quality, and the rate.
 * @param {RunProgress | null} progress
 */
export function tiles(progress) {
  if (!progress?.run || progress.best === null) return [NONE, "", NONE];
  const { best, optimum, evaluations, seconds } = progress;
  mark("tile-gap", "kind", best === optimum ? "optimal" : "above");
  const worth =
    before === null
      ? run.describeQuality(best)
      : text("tiles.before", { worth: run.describeQuality(best), length: before });
  return [format.integer(best), worth, seconds > 0 ? format.rate(evaluations / seconds) : NONE];
}

function status() {
  const { id, state, compiling, active } = run;
  document.body.dataset.runState = !id ? "none" : state === "running" && compiling ? "compiling" : state;
  const others = id !== null && !run.own && active();
  if (others) document.body.dataset.others = "true";
  else delete document.body.dataset.others;
  setText("run-state", others && !refused ? `${stateText()} ${text("state.others")}` : stateText());
  setText("run-device", deviceText());
  explainWaiting();
  mark("run-state", "kind", refused || FAULTS.includes(state) ? "refusal" : "");
  const bar = byId("run-progress");
  if (bar) bar.value = share();
}

const update = throttle(status, QUARTER);
const count = throttle(showShared, QUARTER);

on("best", ({ length }) => {
  if (run.own) last = { id: run.id, cities: run.instance?.sha256, length };
});
on("opened", () => {
  if (last && last.id !== run.id) before = last.cities === run.instance?.sha256 ? last.length : null;
  setText("tile-best-label", named(run.instance, text("tiles.best")));
});
on("map", offerOptimal);
on(["map", "best", "log", "closed"], count);
on("log", update);
on(["state", "opened"], status);
on("opened", update);
on("closed", () => {
  refused = "";
  status();
});
on("refused", ({ sentence }) => {
  refused = sentence;
  status();
});
