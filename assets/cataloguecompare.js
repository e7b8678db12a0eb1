/* Comparing runs that are selected: where that is done, or why it cannot be done. */
(function (TourScope) {
  "use strict";

  const LANES = 4; // of a race
  const MOST = 12; // runs of one chart
  const OVER = ["finished", "cancelled"];

  const { byId } = TourScope;

  /** Why runs cannot be compared, or nothing. */
  function obstacle(keys, entries) {
    if (keys.length < 2) return "To compare, select two runs or more.";
    if (keys.some((key) => !key.startsWith("run:"))) return "Only runs are compared: races and studies compare on pages of their own.";
    if (keys.length > MOST) return `At most ${MOST} runs can be compared.`;
    const open = entries.find(({ state }) => !OVER.includes(state));
    if (!open) return "";
    const name = TourScope.catalogueRows.called(open);
    return `Only finished runs can be compared: ${open.working ? `${name} goes on still.` : `${name} is ${open.state}.`}`;
  }

  /** Whether a race can show runs: so few, and of one instance. */
  const asRace = (entries) => entries.length <= LANES && new Set(entries.map(({ instances, n }) => `${instances[0]} ${n}`)).size === 1;

  function draw(keys) {
    const entries = keys.map((key) => TourScope.catalogue.known.get(key)).filter(Boolean);
    const why = obstacle(keys, entries);
    const button = byId("catalogue-compare-button");
    const told = asRace(entries) ? "Side by side, as a race after the fact" : "In one chart, and a table by instance";
    button.setAttribute("aria-disabled", String(Boolean(why)));
    button.title = why || told;
    TourScope.setText("catalogue-why", why);
  }

  function compare() {
    const keys = [...TourScope.catalogueBar.picked];
    const entries = keys.map((key) => TourScope.catalogue.known.get(key)).filter(Boolean);
    if (obstacle(keys, entries)) return;
    const ids = entries.map(({ id }) => id);
    if (asRace(entries)) window.location.assign(`${TourScope.basePath}race/?runs=${ids.join(",")}`);
    else TourScope.catalogue.go({ compare: ids, limit: TourScope.catalogue.query.limit });
  }

  document.addEventListener("click", ({ target }) => {
    if (target.closest && target.closest("#catalogue-compare-button")) compare();
  });

  TourScope.on("catalogue-picked", draw);
})((window.TourScope = window.TourScope || {}));
