/* The race page: Dash's callbacks, and imports of all its modules. */
import "../common/lesson/loader.js";
import "../common/saving/menu.js";
import "../common/upload.js";
import "../common/variants/variants.js";
import "../instances/main.js";
import "./ending/finish.js";
import "./export.js";
import "./keys.js";
import "./lecture.js";
import "./table.js";
import { byId } from "../common/dom.js";
import { register, setProps } from "../common/callbacks.js";
import { defer } from "../common/defer.js";
import { start } from "../common/start.js";
import { loadPlotly } from "../common/charts/graph.js";
import { instances } from "../instances/dialog.js";
import { raceChart } from "./chart.js";
import { raceDiffer } from "./diff.js";
import { close, open, preview } from "./race.js";
import { race } from "./state.js";

register("race", {
  /**
   * Show the open race, else panels for the lanes of the form.
   * @param {ShownRace | null} shown
   * @param {LaneView[] | null} views
   * @param {string | null} instance value of the menu
   */
  show(shown, views, instance) {
    if (instance) instances.mark(instance);
    if (shown && shown.instance === instance) {
      open(shown);
      return;
    }
    if (shown) {
      setProps("race", { data: null });
      setProps("url", { search: "" });
    }
    if (race.id) close();
    if (views && instance) preview(views, instance);
  },
  setAxes: raceChart.setAxes,
  differ: raceDiffer.choose,
});

start();
defer(() => byId("page"), loadPlotly);
