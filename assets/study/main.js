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
  ...dialogFunctions("studies-form"),
  // Another study has other instances.
  forget: (_opened, chosen) => (chosen === "all" ? unchanged() : "all"),
  instance: (chosen) => chosen?.[0] || "",
  // The study of the address is asked for at once, before the server has told that there is one.
  ahead(search, shown) {
    const id = new URLSearchParams(search || "").get("id");
    return !id || (shown && shown.study === id) ? unchanged() : { study: id, version: "" };
  },
  // What stands below the first chart is asked for when that is drawn.
  async first(figure, shown, later) {
    await studyPlots.plotNow("studies-anytime", figure);
    const same = later && shown && later.study === shown.study && later.version === shown.version;
    return same ? unchanged() : shown;
  },
  plot: (figure) => studyPlots.plot(idOf(), figure),
  mark: (at) => studyPlots.setMark(at),
  table: (told) => studyTables.table(idOf(), told),
  matrix(told, chosen) {
    if (told) endFirstView();
    return studyTables.matrix(told, chosen || "all");
  },
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#studies-matrix [data-instance]");
  if (button) setProps("studies-chosen", { value: button.dataset.instance });
});

start();
