/* The entry points of the page that watches one run, for Dash. */
(function (TourScope) {
  "use strict";

  let previewed = ""; // the instance that is previewed, as its reference

  /** Show a run by its id, or none. */
  function open(id) {
    if (id === TourScope.run.id) return;
    TourScope.player.reset();
    TourScope.climbs.reset(id);
    TourScope.fields.reset(id);
    TourScope.run.reset(id || null);
    TourScope.emit("closed");
    if (id) TourScope.stream.open(id);
    else TourScope.stream.close();
  }

  /** Whether the run that is open is one of the instance that `reference` names. */
  function isOpen(reference) {
    const { spec } = TourScope.run;
    return Boolean(TourScope.run.id) && (!spec || text(spec.instance) === reference);
  }

  const text = (instance) => JSON.stringify(instance, Object.keys(instance).sort());

  /** Show the cities of an instance, unless a run of it is open. */
  async function preview(instance) {
    const reference = text(instance);
    if (reference === previewed && !TourScope.run.id) return;
    previewed = reference;
    if (isOpen(reference)) return;
    const answer = await fetch(`${TourScope.basePath}instance?ref=${encodeURIComponent(reference)}`);
    if (!answer.ok || reference !== previewed || isOpen(reference)) return;
    const frame = TourScope.frames.decode(await answer.arrayBuffer());
    open(null);
    TourScope.tour.showInstance(frame);
  }

  Object.assign(TourScope, {
    open,
    preview,
    setX: TourScope.convergence.setX,
    showOptimal: TourScope.tour.showOptimal,
    save: TourScope.save,
  });
})((window.TourScope = window.TourScope || {}));
