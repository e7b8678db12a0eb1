/* Which view of a run is shown: its tour, or one of a colony's pheromone, trails and ants. */
(function (TourScope) {
  "use strict";

  const SAYS = {
    pheromone: (known) =>
      `Cities along the ${known ? "optimal" : "best"} tour, both ways: the closer pheromone lies to the diagonal, ` +
      "the more the ants agree with that tour.",
    trails: () => "The wider an edge, the more pheromone lies on it; those below 2\u00a0% of the strongest are left out.",
    ants: () => "Above, how long this iteration's tours are; below, all iterations.",
  };

  let chosen = "tour";
  let shown = "tour";
  let axisOfColony = false; // whether the chart's axis was chosen for a colony

  /** The view that is to be shown: colonies alone have others than the tour. */
  function due() {
    const { run } = TourScope;
    return run.id && run.spec && run.units().colony ? chosen : "tour";
  }

  function settle() {
    if (due() === shown) return;
    shown = due();
    document.querySelector(".stage").dataset.view = shown;
    say();
    TourScope.emit("viewed", shown);
  }

  function say() {
    const map = TourScope.tour.map();
    if (SAYS[shown]) TourScope.setText("view-says", SAYS[shown](map && map.optimalTour));
  }

  /** A person has chosen a view; a tab that was pressed with a mouse gives the keyboard back to the player. */
  function choose(view) {
    const focused = document.activeElement;
    if (focused && focused.closest("#view") && !focused.matches(":focus-visible")) focused.blur();
    chosen = view;
    settle();
  }

  /** An ant's tour does not fall: of a colony the chart shows all iterations, unless a person has chosen otherwise. */
  function chooseAxis() {
    const colony = Boolean(TourScope.run.units().colony);
    const axis = document.querySelector("#convergence-x input:checked");
    const [from, to] = colony ? ["climb", "iterations"] : ["iterations", "climb"];
    if (colony === axisOfColony || !axis || axis.value !== from) return;
    axisOfColony = colony;
    window.dash_clientside.set_props("convergence-x", { value: to });
  }

  TourScope.on("opened", () => {
    settle();
    say();
    chooseAxis();
  });
  TourScope.on("closed", settle);
  TourScope.views = { choose, due, shown: () => shown, isShown: (view) => shown === view };
})((window.TourScope = window.TourScope || {}));
