/*
 * A standalone run, in a file or inside another page: the modules of the Watch page with the saved run. The embedding
 * page chooses the element in which it is drawn (`components/embed/script.py`).
 */
import "../watch/colony/heatmap.js";
import "../watch/colony/trails.js";
import "../watch/explain/annealing.js";
import "../watch/explain/ants.js";
import "../watch/explain/christofides.js";
import "../watch/explain/constructions.js";
import "../watch/explain/explain.js";
import "../watch/explain/generations.js";
import "../watch/explain/held_karp.js";
import "../watch/explain/held_karp_layer.js";
import "../watch/explain/insertion_steps.js";
import "../watch/explain/moves.js";
import "../watch/explain/tabu.js";
import "../watch/player/controls.js";
import "../watch/tabu/tabu.js";
import "../watch/status/title.js";
import "../watch/tour/hud.js";
import { setText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { frames } from "../common/frames.js";
import { root } from "../common/host/root.js";
import { climbs } from "../watch/climbs/climbs.js";
import { fields } from "../watch/colony/pheromone_cache.js";
import { runSentence } from "../watch/ending/sentence.js";
import { run } from "../watch/run.js";
import { listen } from "./keys.js";
import { layout } from "./layout.js";
import { store } from "./store.js";
import { followTheme } from "./theme.js";
import { text } from "./texts.js";

/**
 * Return the note on how many climbs are included; empty if all are.
 * @param {EmbeddedRun} told
 */
function recordedText({ climbers, held }) {
  return held && held < climbers ? text("held", { held, all: climbers }) : "";
}

/**
 * Show a run.
 * @param {Embedded} embedded
 * @param {Uint8Array<ArrayBuffer>} bytes parts of the run
 * @param {boolean} alone whether the run has the page to itself
 */
export async function open({ run: embedded, units, parts }, bytes, alone) {
  const { id, spec, state, reason, adopted, climbers, last, fields: pictured } = embedded;
  store.provide(parts, bytes);
  const head = await store.loadFrames("head");
  const [instance, ...log] = head ? frames.split(head) : [];
  const own = units[spec.stages.at(-1)?.algorithm || ""];
  const optimal = Boolean(instance?.arrays.optimal_tour);
  root().append(layout(own, JSON.stringify(units), recordedText(embedded), optimal));
  followTheme();
  listen(alone);
  for (const store of [run, climbs, fields]) store.reset(id);
  if (!instance) return;
  /** @type {Message<any>} */
  const message = { what: "log", run: id, message: 0, state, reason };
  emit("instance", { values: { ...message, spec, adopted, own: false }, frames: [instance] });
  if (last >= 0) run.addClimber(last);
  run.rows = climbers;
  emit("log-message", { values: { ...message, seqs: [], ats: [], fields: pictured }, frames: log });
}

on("log", () => setText("ending-sentence", runSentence()));
