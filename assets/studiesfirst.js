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

  if (asked) {
    TourScope.when(() => TourScope.byId("studies-matrix"), () => asked.answer.then(show), 5);
  }
})((window.TourScope = window.TourScope || {}));
