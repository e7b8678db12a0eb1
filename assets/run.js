/* The run that is open, as far as the page has been told: its spec, instance, state, numbers and best tour. */
(function (TourScope) {
  "use strict";

  const FINAL = ["finished", "cancelled", "failed", "interrupted"];
  const ROWS = 8000; // rows that the chart keeps, evenly

  const run = { id: null };

  /** Forget the last run; the next one is `id`. */
  function reset(id) {
    Object.assign(run, {
      id,
      spec: null,
      instance: null,
      optimum: null,
      proven: false,
      state: id ? "running" : "none",
      reason: "",
      compiling: false,
      started: null,
      finished: null,
      best: null, // {length, climber, order}
      known: 0, // climbers that are known to be there: 0 to known - 1
      rows: 0, // climbers that have finished
      elapsed: 0,
      iterations: 0,
      evaluations: 0,
      spent: 0, // evaluations of the climbers that have finished
      finals: new TourScope.Series(3, ROWS), // of finished climbers: how many by then, evaluations by then, length
      clock: new TourScope.Series(2, ROWS), // evaluations, elapsed
      bests: [[], [], [], []], // iterations, evaluations, elapsed, length: where the best length fell
    });
  }

  const active = () => Boolean(run.id) && !FINAL.includes(run.state);

  /** The algorithm of the last stage, whose words the page uses. */
  function stage() {
    return run.spec ? run.spec.stages[run.spec.stages.length - 1] : { algorithm: "", params: {} };
  }

  const units = () => TourScope.units(stage().algorithm);

  /** How many climbers the run will have, as far as one can know. */
  function total() {
    if (!active()) return run.known;
    const params = stage().params;
    const asked = params[TourScope.format.plural(units().iteration)] || params.climbers || 0;
    return Math.max(run.known, asked);
  }

  /** The share of the run that is done, 0 to 1, by whichever limit is nearest. */
  function share() {
    if (!run.spec) return 0;
    if (run.state === "finished") return 1;
    const { seconds, iterations, evaluations } = run.spec.budget || {};
    const limits = [
      [total(), Math.max(run.rows, run.iterations)],
      [seconds, run.elapsed],
      [iterations, run.iterations],
      [evaluations, run.evaluations],
    ];
    return Math.min(1, Math.max(0, ...limits.map(([limit, done]) => (limit ? done / limit : 0))));
  }

  function know(climber) {
    if (climber >= run.known) run.known = climber + 1;
  }

  function seen(length, climber, order) {
    if (run.best && run.best.length <= length) return;
    run.best = { length, climber, order: order ? order.slice() : null };
    TourScope.emit("best", run.best);
  }

  const take = {
    state({ values }) {
      Object.assign(run, { state: values.state, reason: values.reason || "" });
    },
    compiling() {
      run.compiling = true;
    },
    started({ values }) {
      run.compiling = false;
      run.started = values;
    },
    progress({ arrays }) {
      const { iteration, evaluations, elapsed, best } = arrays;
      for (let k = 0; k < iteration.length; k += 1) {
        const at = [iteration[k], evaluations[k], elapsed[k]];
        run.clock.push([evaluations[k], elapsed[k]]);
        const last = run.bests[3].length ? run.bests[3][run.bests[3].length - 1] : Infinity;
        if (best[k] < last) [...at, best[k]].forEach((value, column) => run.bests[column].push(value));
        [run.iterations, run.evaluations, run.elapsed] = at;
      }
    },
    tour({ values, arrays }) {
      know(values.climber);
      seen(values.length, values.climber, arrays.order);
    },
    rows({ arrays }) {
      const { climber, length, evaluations } = arrays;
      for (let k = 0; k < climber.length; k += 1) {
        know(climber[k]);
        seen(length[k], climber[k], null);
        run.rows += 1;
        run.spent += evaluations[k];
        run.finals.push([run.rows, run.spent, length[k]]);
      }
      TourScope.emit("rows", arrays);
    },
    colony(frame) {
      TourScope.emit("colony", frame);
    },
    phases({ arrays }) {
      TourScope.emit("phases", arrays);
    },
    shortened(frame) {
      TourScope.emit("shortened", frame);
    },
    finished({ values, arrays }) {
      run.finished = values;
      if (run.best && run.best.length === values.length) run.best.order = arrays.order.slice();
      Object.assign(run, { elapsed: values.seconds, evaluations: values.evaluations, iterations: values.iterations });
    },
  };

  function onInstance({ values, frames }) {
    const again = run.instance !== null;
    Object.assign(run, { spec: values.spec, state: values.state });
    if (!again) {
      const { optimum, proven } = frames[0].values;
      Object.assign(run, { instance: frames[0].values, optimum, proven });
      TourScope.tour.showInstance(frames[0]);
    }
    TourScope.emit(again ? "state" : "opened", run);
  }

  function onLog({ values, frames }) {
    const before = run.state;
    run.state = values.state;
    for (const frame of frames) if (take[frame.kind]) take[frame.kind](frame);
    TourScope.emit("pictured", values.fields);
    if (run.state !== before) TourScope.emit("state", run);
    TourScope.emit("log", run);
  }

  reset(null);
  TourScope.on("instance", onInstance);
  TourScope.on("log-message", onLog);
  TourScope.run = Object.assign(run, { reset, active, stage, units, total, share, know });
})((window.TourScope = window.TourScope || {}));
