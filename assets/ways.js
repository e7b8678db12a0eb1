/* The dialog that compares the ways to run 2-opt; its button is in the form, which is made anew with each algorithm. */
(function (TourScope) {
  "use strict";

  const dialog = () => TourScope.byId("ways");

  document.addEventListener("click", (event) => {
    if (!event.target.closest) return;
    if (event.target.closest("#ways-open")) dialog().showModal();
    else if (event.target === dialog() || event.target.closest("#ways-close")) dialog().close();
  });
})((window.TourScope = window.TourScope || {}));
