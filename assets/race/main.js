/* The race page: what Dash calls, and all that the page loads. */
import "../common/upload.js";
import "../common/variants.js";
import "../instances/main.js";
import "./keys.js";
import "./table.js";
import { context, register, setProps } from "../common/callbacks.js";
import { dialogFunctions, pressed } from "../common/form.js";
import { start } from "../common/start.js";
import { plotly } from "../common/charts/graph.js";
import { instances } from "../instances/dialog.js";
import { raceChart } from "./chart.js";
import { raceDiffer } from "./diff.js";
import { raceSave } from "./export.js";
import { close, open, preview } from "./race.js";
import { race } from "./state.js";

register("race", {
  show(told, views, instance) {
    if (told && told.instance === instance) {
      instances.mark(instance);
      open(told);
      return;
    }
    if (told) {
      setProps("race", { data: null });
      setProps("url", { search: "" });
    }
    if (instance) instances.mark(instance);
    if (race.id) close();
    if (views && instance) preview(views, instance);
  },
  ...dialogFunctions("race-form"),
  setX: (value) => raceChart.setX(value),
  setY: (value) => raceChart.setY(value),
  setLog: (value) => raceChart.setLog(value),
  differ: (...chosen) => raceDiffer.choose(...chosen),
  wait(told) {
    const lacks = (id) => !told || (Boolean(told.compared) && id === "race-save-file");
    return context().outputs_list.map(({ id }) => lacks(id));
  },
  save() {
    const kind = pressed("race-save-");
    if (kind) raceSave(kind);
  },
});

start();
plotly();
