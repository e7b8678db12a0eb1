/* The name of the shown run, above its length, and whether the form has changed since its start. */
import { byId, setText, findUnits } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { run } from "../run.js";
import { text } from "../texts.js";

/** @type {{ algorithm: string | null, seed: number | null }} */
const form = { algorithm: null, seed: null };
let atOpening = { ...form }; // a run by hand is not the form's, and yet no previous one

/**
 * "2-opt, random restarts, sequential · berlin52 · seed 1"
 * @param {RunSpec} spec
 */
function runName({ stages, seed }) {
  const { whole } = run.units();
  const titles = stages.map(({ algorithm }) => findUnits(algorithm).title);
  const algorithms = titles.reduce((first, then) => text("title.then", { first, then }));
  const variant = whole ? "" : run.started?.variant;
  const parts = [variant ? text("title.variant", { algorithms, variant }) : algorithms, run.instance?.name || ""];
  if (!whole) parts.push(text("title.seed", { seed: String(seed) }));
  return parts.join(" · ");
}

/**
 * Return whether the form has changed since the run was opened, and Start would begin a run of another algorithm or
 * seed; never for an imported tour, which no form describes.
 * @param {RunSpec} spec
 */
function isFormer({ stages, seed }) {
  const { algorithm: before, seed: seedBefore } = atOpening;
  if (run.units().whole || form.algorithm === null) return false;
  if (form.algorithm === before && form.seed === seedBefore) return false;
  return seed !== form.seed || !stages.some(({ algorithm }) => algorithm === form.algorithm);
}

function show() {
  const { spec } = run;
  const former = Boolean(spec && isFormer(spec));
  const name = spec ? runName(spec) : "";
  setText("hud-run", former ? text("title.former", { run: name }) : name);
  const title = byId("hud-run");
  if (title) title.dataset.former = String(former);
}

/**
 * Store the form's current choice.
 * @param {string | null} algorithm
 * @param {number | null} seed
 */
function storeChoice(algorithm, seed) {
  Object.assign(form, { algorithm, seed });
  show();
}

on("opened", () => {
  atOpening = { ...form };
});
on(["opened", "log", "closed"], show);
export const title = { algorithm: () => form.algorithm, storeChoice };
