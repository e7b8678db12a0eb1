/* The first view of a study that the address names: shown as soon as the page has a place for it, before its callbacks. */
(function (TourScope) {
  "use strict";

  const asked = TourScope.firstStudy;

  /** Fill what is still empty: whatever Dash has brought meanwhile is newer. */
  function show(told) {
    const matrix = TourScope.byId("studies-matrix");
    if (!told || !told.matrix || !matrix || matrix.rows.length) return;
    TourScope.byId("studies-results").className = told.style;
    TourScope.setText("studies-heading", told.heading);
    TourScope.setText("studies-state", told.state);
    TourScope.setText("studies-matrix-note", told.matrix_note);
    TourScope.studyTables.matrix(told.matrix, "all");
    TourScope.studyPlots.prepare();
  }

  let watch = null;

  /** Show it again whenever Dash has put an empty place where the full one was, as it may while it builds the page. */
  function keep(told) {
    watch = new MutationObserver(() => show(told));
    watch.observe(document.body, { childList: true, subtree: true });
    show(told);
  }

  /** What the callbacks bring is newer: leave the page to them. */
  TourScope.endFirstView = () => {
    if (watch) watch.disconnect();
    watch = null;
  };

  if (asked) {
    TourScope.when(() => document.body, () => asked.answer.then(keep), 5);
    window.setTimeout(TourScope.endFirstView, 20000);
  }
})((window.TourScope = window.TourScope || {}));
