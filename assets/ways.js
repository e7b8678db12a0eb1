/* The dialog that compares the ways to run an algorithm; its button is in the form, which is made anew with each. */
(function (TourScope) {
  "use strict";

  const dialog = () => TourScope.byId("ways");

  /** Open the table of the algorithm whose form the button is in. */
  function open(algorithm) {
    for (const sheet of dialog().querySelectorAll(".sheet-body")) {
      sheet.hidden = sheet.dataset.algorithm !== algorithm;
      if (!sheet.hidden) TourScope.setText("ways-title", sheet.dataset.title);
    }
    dialog().showModal();
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest) return;
    const button = event.target.closest("#ways-open");
    if (button) open(button.closest("[data-algorithm]").dataset.algorithm);
    else if (event.target === dialog() || event.target.closest("#ways-close")) dialog().close();
  });
})((window.TourScope = window.TourScope || {}));
