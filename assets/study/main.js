/* The study page: what Dash calls, rows of the matrix that choose an instance, and all that the page loads. */
import "../common/charts/export.js";
import "../common/upload.js";
import "../common/variants.js";
import { context, register, setProps, unchanged } from "../common/callbacks.js";
import { dialogFunctions } from "../common/form.js";
import { start } from "../common/start.js";
import { studyTables } from "../common/charts/tables.js";
import { endFirstView } from "./first_view.js";
import { studyPlots } from "./plots.js";

/** The element that a store's table goes to. */
const idOf = () => context().inputs_list[0].id.replace(/-data$/, "");

register("study", {
  ...dialogFunctions("study-form"),
  /**
   * Another study has other instances.
   * @param {unknown} _opened
   * @param {string} chosen
   */
  forget: (_opened, chosen) => (chosen === "all" ? unchanged() : "all"),
  /** @param {string[] | null} chosen */
  instance: (chosen) => chosen?.[0] || "",
  /**
   * The study of the address is asked for at once, before the server has told that there is one.
   * @param {string | null} search
   * @param {ShownStudy | null} shown
   */
  ahead(search, shown) {
    const id = new URLSearchParams(search || "").get("id");
    return !id || shown?.study === id ? unchanged() : { study: id, version: "" };
  },
  /**
   * What stands below the first chart is asked for when that is drawn.
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
  plot: (figure) => studyPlots.plot(idOf(), figure),
  mark: studyPlots.setMark,
  /** @param {any} told a table, as `components/study/tables.py` makes it */
  table: (told) => studyTables.table(idOf(), told),
  /**
   * @param {FirstView["matrix"]} told
   * @param {string | null} chosen
   */
  matrix(told, chosen) {
    if (told) endFirstView();
    return studyTables.matrix(told, chosen || "all");
  },
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("#study-matrix [data-instance]");
  if (button) setProps("study-chosen", { value: button.getAttribute("data-instance") });
});

start();
