/* The study page: Dash's callbacks, rows of the matrix that choose an instance, and imports of all its modules. */
import "../common/saving/export.js";
import "../common/upload.js";
import "../common/variants/variants.js";
import { context, register, setProps, unchanged } from "../common/callbacks.js";
import { clicked } from "../common/dom.js";
import { start } from "../common/start.js";
import { studyTables } from "../common/charts/tables.js";
import "../instances/columns.js";
import "../instances/own_instances.js";
import { endFirstView } from "./first_view.js";
import { studyPlots } from "./plots.js";

/** Return the element for a store's table. */
const elementId = () => context().inputs_list[0].id.replace(/-data$/, "");

/** The id of the previously open study, or empty. */
let lastOpened = "";

register("study", {
  /**
   * Clear the chosen instance when another study opens: results of the previous study must not stay below its title.
   * @param {ShownStudy | null} opened
   * @param {string} chosen
   */
  forget(opened, chosen) {
    const study = opened?.study || "";
    if (lastOpened && study !== lastOpened) setProps("study-finding", { children: "" });
    lastOpened = study;
    return chosen === "all" ? unchanged() : "all";
  },
  /** @param {string[] | null} chosen */
  instance: (chosen) => chosen?.[0] || "",
  /**
   * Request the study in the address at once, before the server has said whether it exists.
   * @param {string | null} search
   * @param {ShownStudy | null} shown
   */
  ahead(search, shown) {
    const id = new URLSearchParams(search || "").get("id");
    return !id || shown?.study === id ? unchanged() : { study: id, version: "" };
  },
  /**
   * Request everything below the first chart once that chart is drawn.
   * @param {Figure | null} figure
   * @param {ShownStudy | null} shown
   * @param {ShownStudy | null} later
   */
  async first(figure, shown, later) {
    await studyPlots.plotNow("study-anytime", figure);
    const same = shown && later?.study === shown.study && later.version === shown.version;
    return same ? unchanged() : shown;
  },
  /** @param {Figure | null} figure */
  plot: (figure) => studyPlots.plot(elementId(), figure),
  mark: studyPlots.setMark,
  /** @param {any} data a table, as `components/study/tables.py` makes it */
  table: (data) => studyTables.table(elementId(), data),
  /** @param {any} data the verdicts, as `components/study/tests.py` makes them */
  verdicts: (data) => studyTables.verdicts(data),
  /**
   * @param {FirstView["matrix"]} data
   * @param {string | null} chosen
   */
  matrix(data, chosen) {
    if (data) endFirstView();
    return studyTables.matrix(data, chosen || "all");
  },
});

clicked("#study-matrix [data-instance]", ({ dataset }) => setProps("study-chosen", { value: dataset.instance }));

start();
