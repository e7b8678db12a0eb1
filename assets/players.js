/* Who plays: on the tour the player that walks climbs, in the views of a colony the one that goes by iterations. */
(function (TourScope) {
  "use strict";

  const { climbPlayer, iterationPlayer } = TourScope;
  const SHARED = [
    "play", "pause", "toggle", "seek", "step", "climbBy", "playClimb", "home", "end", "live", "setSpeed", "shown", "isLoading",
  ];

  let now = climbPlayer;

  function choose(view) {
    const next = view === "tour" ? climbPlayer : iterationPlayer;
    if (next === now) return false;
    now.leave();
    now = next;
    return true;
  }

  /** Another view is shown: its player goes on where the other one came to. */
  TourScope.on("viewed", (view) => {
    if (choose(view)) now.enter();
  });
  TourScope.on("opened", () => {
    choose(TourScope.views.due());
    now.open();
  });

  function reset() {
    iterationPlayer.reset();
    climbPlayer.reset();
  }

  const { state, SPEEDS } = climbPlayer;
  const player = Object.fromEntries(SHARED.map((name) => [name, (...given) => now[name](...given)]));
  TourScope.player = { ...player, state, SPEEDS, reset };
})((window.TourScope = window.TourScope || {}));
