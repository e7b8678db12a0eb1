/* Light and dark: what takes its colours from the style sheet by itself is told, and the graphs are repainted. */
(function (TourScope) {
  "use strict";

  /** Choose "light" or "dark". */
  function set(theme) {
    document.documentElement.dataset.bsTheme = theme;
    document.body.dataset.agThemeMode = theme;
    TourScope.emit("theme", theme);
  }

  TourScope.theme = { set };
})((window.TourScope = window.TourScope || {}));
