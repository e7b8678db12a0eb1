/* The Watch page: Dash's callbacks, and imports of all its modules. */
import "../common/lesson/loader.js";
import "../common/saving/menu.js";
import "../common/upload.js";
import "../common/variants/variants.js";
import "../instances/main.js";
import "../common/charts/text.js";
import "./bound/bound_button.js";
import "./by_hand/by_hand.js";
import "./ending/finish.js";
import "./ending/prove.js";
import "./exact/layers.js";
import "./export.js";
import "./explain/annealing.js";
import "./explain/ants.js";
import "./explain/christofides.js";
import "./explain/constructions.js";
import "./explain/curve.js";
import "./explain/explain.js";
import "./explain/generations.js";
import "./explain/held_karp.js";
import "./explain/held_karp_layer.js";
import "./explain/insertion_steps.js";
import "./explain/moves.js";
import "./explain/savings.js";
import "./explain/tabu.js";
import "./how/step.js";
import "./climbs/grid.js";
import "./lecture.js";
import "./player/controls.js";
import "./player/keys.js";
import "./player/position.js";
import "./predict/predict.js";
import "./stores.js";
import "./tour/hover.js";
import { register, setProps } from "../common/callbacks.js";
import { loadPlotly } from "../common/charts/graph.js";
import { on } from "../common/events.js";
import { stats } from "../common/frame_stats.js";
import { defer } from "../common/defer.js";
import { start } from "../common/start.js";
import { parseReference } from "../instances/data.js";
import { instances } from "../instances/dialog.js";
import { climbers } from "./climbs/climbers.js";
import { showMoats } from "./bound/zones.js";
import { isAsking, start as startRun } from "./launch.js";
import { lengths } from "./colony/ant_charts.js";
import { heat } from "./colony/heatmap.js";
import { trails } from "./colony/trails.js";
import { convergence } from "./convergence/convergence.js";
import { openRun, previewAlone, previewFirst } from "./open.js";
import { populationChart } from "./population/population.js";
import { restartPanel } from "./restarts/panel.js";
import { run } from "./run.js";
import { tiles } from "./status/status.js";
import { describeLegend } from "./tour/hud.js";
import { title } from "./status/title.js";
import { tour } from "./tour/tour.js";
import { views } from "./views.js";

const LATEST = 5000; // milliseconds after which deferred parts are loaded even if no cities or tours have arrived

register("watch", {
  open(visible) {
    if (!visible?.run) return;
    instances.close();
    openRun(visible.run);
  },
  preview(value) {
    if (!value) return;
    instances.mark(value);
    previewAlone(parseReference(value));
  },
  start: startRun,
  tiles,
  columns: (_shown, algorithm) => climbers.name(run.stage().algorithm || algorithm),
  chosen: (algorithm, seed) => title.storeChoice(algorithm, seed),
  // One callback serves three panels, since each call from Dash takes milliseconds away from drawing the tour.
  numbers(progress, _rows, axis, part) {
    convergence.show(axis);
    climbers.show(progress);
    restartPanel.show(part);
  },
  /**
   * If an algorithm does not have the chosen view, show the tour.
   * @param {{value: string}[]} options
   * @param {string} view
   */
  offerViews(options, view) {
    if (!options.some(({ value }) => value === view)) setProps("view", { value: "tour" });
  },
  showView: (view) => views.choose(view),
  setHeatLog: (on) => heat.setLog(Boolean(on)),
  showBestOnTrails: (on) => trails.showBest(Boolean(on)),
  setCurve: (curve) => lengths.setCurve(curve),
  setPopulationCurve: (curve) => populationChart.setCurve(curve),
  showOptimal: (visible) => tour.showOptimal(Boolean(visible)),
  showShared: (visible) => tour.showShared(Boolean(visible)),
  showMoats: (visible) => showMoats(Boolean(visible)),
  describeLegend,
});

start();
const { first } = document.documentElement.dataset;
if (first) {
  instances.mark(first);
  previewFirst({ name: first });
}
let opened = 0; // time at which the page last showed another run, or none
on("closed", () => (opened = performance.now()));
/** @param {unknown} is truthy once the awaited thing has arrived */
const isHere = (is, from = 0) => is || performance.now() - from > LATEST;
const ready = () => isHere(tour.painted().cities) && !isAsking() && isHere(!run.id || stats.frames, opened);
defer(ready, loadPlotly);
defer(ready, climbers.load);
