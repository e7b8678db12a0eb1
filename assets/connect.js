/* What every page begins with: the stream, and the news of the server that its callbacks wait for. */
(function (TourScope) {
  "use strict";

  TourScope.on("status", (data) => {
    TourScope.when(
      () => TourScope.byId("page") && window.dash_clientside && window.dash_clientside.set_props,
      (setProps) => setProps("status", { data }),
    );
  });
  TourScope.when(() => document.querySelector("[data-base-path]"), () => TourScope.stream.connect());
})((window.TourScope = window.TourScope || {}));
