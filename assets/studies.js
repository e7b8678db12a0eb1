/* The study page: the entry points for Dash, and rows of the matrix that choose an instance. */
(function (TourScope) {
  "use strict";

  const dialog = () => TourScope.byId("studies-form");

  /** The element that a store's table goes to. */
  const idOf = () => window.dash_clientside.callback_context.inputs_list[0].id.replace(/-data$/, "");

  window.dash_clientside = Object.assign(window.dash_clientside || {}, {
    studies: {
      openForm(edited) {
        if (!edited) dialog().close();
        else if (!dialog().open) dialog().showModal();
      },
      closeForm() {
        dialog().close();
      },
      // The theme that is seen: what is kept may be nothing, and then the browser's preference holds.
      shade(kept) {
        return kept === "light" || kept === "dark" ? kept : document.documentElement.dataset.bsTheme;
      },
      // Another study has other instances.
      forget: (opened, chosen) => (chosen === "all" ? window.dash_clientside.no_update : "all"),
      instance: (chosen) => (chosen && chosen[0]) || "",
      // The study of the address is asked for at once, before the server has told that there is one.
      ahead(search, shown) {
        const id = new URLSearchParams(search || "").get("id");
        return !id || (shown && shown.study === id) ? window.dash_clientside.no_update : { study: id, version: "" };
      },
      // What stands below the first chart is asked for when that is drawn.
      async first(figure, shown, later) {
        await TourScope.studyPlots.plotNow("studies-anytime", figure);
        const same = later && shown && later.study === shown.study && later.version === shown.version;
        return same ? window.dash_clientside.no_update : shown;
      },
      plot: (figure) => TourScope.studyPlots.plot(idOf(), figure),
      mark: (at) => TourScope.studyPlots.setMark(at),
      table: (told) => TourScope.studyTables.table(idOf(), told),
      matrix: (told, chosen) => {
        if (told) TourScope.endFirstView();
        return TourScope.studyTables.matrix(told, chosen || "all");
      },
    },
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("#studies-matrix [data-instance]");
    if (button) window.dash_clientside.set_props("studies-chosen", { value: button.dataset.instance });
  });
})((window.TourScope = window.TourScope || {}));
