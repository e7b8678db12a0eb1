/* Comparing runs that are selected: where that is done, or why it cannot be done. */
(function (TourScope) {
  "use strict";

  const LANES = 4; // of a race
  const MOST = 12; // runs of one chart
  const ENDED = ["finished", "cancelled"]; // as a race shows them; one that broke off has a tour at most

  const { byId } = TourScope;

  /** Why runs cannot be compared, or nothing. */
  function obstacle(keys, entries) {
    if (keys.length < 2) return "To compare, select two runs or more.";
    if (keys.some((key) => !key.startsWith("run:"))) return "Only runs are compared: races and studies compare on pages of their own.";
    if (keys.length > MOST) return `At most ${MOST} runs can be compared.`;
    const name = (entry) => TourScope.catalogueRows.called(entry);
    const open = entries.find(({ working }) => working);
    if (open) return `Only finished runs can be compared: ${name(open)} is still running.`;
    const bare = entries.find(({ length }) => length === null);
    return bare ? `${name(bare)} has no tour to compare.` : "";
  }

  /** Whether a race can show runs: so few, all with an end, and of one instance. */
  const asRace = (entries) =>
    entries.length <= LANES && entries.every(({ state }) => ENDED.includes(state)) && new Set(entries.map(({ instances, n }) => `${instances[0]} ${n}`)).size === 1;

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
    else TourScope.catalogue.go({ compare: ids, limit: TourScope.catalogue.query.limit, from: TourScope.catalogue.query.from });
  }

  document.addEventListener("click", ({ target }) => {
    if (target.closest && target.closest("#catalogue-compare-button")) compare();
  });

  TourScope.on("catalogue-picked", draw);
})((window.TourScope = window.TourScope || {}));
