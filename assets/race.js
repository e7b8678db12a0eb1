/* The race page: which race is open, what its runs tell, and the entry points for Dash. */
(function (TourScope) {
  "use strict";

  const HEADS = { every: 1 / 10, all: true }; // lanes take turns: what one has done in its turn is shown until the next

  const race = { id: null, lanes: [], views: [], optimum: null, proven: false, state: "none", seconds: null, instance: null, compared: "" };
  let shown = ""; // what the panels show, when no race is open
  let connected = true;
  let reference = ""; // the instance that is shown, as the menu has it

  const setProps = (id, props) => window.dash_clientside.set_props(id, props);

  /** The address of an instance's frame, by its value in the menu. */
  function addressOf(value) {
    const asked = value.startsWith("{") ? value : JSON.stringify({ name: value });
    return `${TourScope.basePath}instance?ref=${encodeURIComponent(asked)}`;
  }

  async function instanceOf(value) {
    const answer = await fetch(addressOf(value)).catch(() => null);
    return answer && answer.ok ? TourScope.frames.decode(await answer.arrayBuffer()) : null;
  }

  function know(frame) {
    const { optimum, proven } = frame.values;
    Object.assign(race, { instance: frame, optimum, proven });
  }

  /** Panels without tours, for the lanes that the setup has. */
  async function preview(views, value) {
    const key = JSON.stringify([views, value]);
    if (key === shown) return;
    shown = key;
    const frame = reference === value && race.instance ? race.instance : await instanceOf(value);
    if (!frame || key !== shown) return;
    reference = value;
    know(frame);
    race.views = views;
    TourScope.when(() => document.querySelector(".lane"), () => TourScope.racePanels.lay(views, frame));
    TourScope.emit("race-opened", race);
  }

  /** Show a race, as the store has it. */
  function open(told) {
    if (told.race === race.id) {
      if (race.state !== "over") race.state = told.state; // the store may still have what it was when it began
      status();
      return;
    }
    race.state = told.state;
    shown = "";
    const lanes = told.runs.map((run, k) => new TourScope.Lane(run, told.lanes[k], k));
    const { seconds, alone, compared = "" } = told; // `compared`: of finished runs that were no race, what was not equal
    Object.assign(race, { id: told.race, lanes, views: told.lanes, seconds, alone, compared, instance: null });
    reference = told.instance;
    TourScope.stream.close();
    for (const { run } of lanes) TourScope.stream.follow(run, HEADS);
    TourScope.racePlayer.open(told.state === "over");
    if (told.state !== "over") for (const lane of lanes) lane.fetchFilm();
    status();
  }

  /** Show no race; the runs of one that is on go on. */
  function close() {
    TourScope.stream.close();
    Object.assign(race, { id: null, lanes: [], state: "none", compared: "" });
    TourScope.racePlayer.open(true);
    status();
  }

  const laneOf = (run) => race.lanes.find((lane) => lane.run === run);

  function onInstance({ values, frames }) {
    if (!laneOf(values.run) || race.instance) return;
    know(frames[0]);
    TourScope.racePanels.lay(race.views, frames[0]);
    TourScope.emit("race-opened", race);
  }

  function onLog({ values, frames }) {
    const lane = laneOf(values.run);
    if (!lane) return;
    lane.take(values, frames);
    if (lane.over && !lane.filmed) {
      lane.filmed = true;
      lane.fetchFilm().then(() => TourScope.racePlayer.ask());
    }
    if (race.lanes.every(({ over }) => over)) end();
    status();
    TourScope.emit("race-told", race);
    TourScope.racePlayer.ask();
  }

  /** All lanes are over: a race that was opened so stands at its end. */
  function end() {
    if (race.state !== "over") race.state = "over";
    else if (!TourScope.racePlayer.state.playing && TourScope.racePlayer.state.clock === 0) TourScope.racePlayer.live();
  }

  function onHead({ run, frames, message }) {
    const lane = laneOf(run);
    if (!lane) return;
    TourScope.stream.acknowledge(message);
    if (lane.filmed) return;
    lane.film.add(frames);
    TourScope.racePlayer.ask();
  }

  /** A run of the race is not on this server (any more): its lane stays empty, and says so. */
  function onRefused({ run, sentence: why }) {
    const lane = laneOf(run);
    if (!lane) return;
    Object.assign(lane, { state: "failed", reason: why, filmed: true });
    status();
    TourScope.racePlayer.ask();
  }

  /** What the race is doing, in words. */
  function sentence() {
    const { lanes, state, alone } = race;
    if (!connected) return "The server does not answer; trying again.";
    if (!race.id) return "The same cities, the same seconds: press Start and see who is ahead.";
    const ready = lanes.filter(({ started, over }) => started || over).length;
    if (state === "paused") return "Paused.";
    const others = alone ? "" : " Other runs were at work when it began: its seconds are upper bounds.";
    if (race.compared) return `Finished runs, side by side. ${race.compared}`;
    if (state === "over") return `The race is over.${others}`;
    if (ready < lanes.length) return `Getting ready: ${ready} of ${lanes.length} lanes. Timing has not started.`;
    return `The lanes take turns.${others}`;
  }

  function share() {
    const { lanes, seconds } = race;
    if (!lanes.length || !seconds) return 0;
    return lanes.reduce((sum, lane) => sum + (lane.over ? 1 : Math.min(1, lane.known / seconds)), 0) / lanes.length;
  }

  function status() {
    document.body.classList.toggle("compared", Boolean(race.compared));
    document.body.dataset.runState = { over: "finished", none: "none" }[race.state] || race.state;
    TourScope.setText("race-state", sentence());
    const bar = TourScope.byId("race-progress");
    if (bar) bar.value = share();
  }

  const dialog = () => TourScope.byId("race-form");

  window.dash_clientside = Object.assign(window.dash_clientside || {}, {
    race: {
      show(told, views, instance) {
        if (told && told.instance === instance) {
          TourScope.library.mark(instance);
          open(told);
          return;
        }
        if (told) {
          setProps("race", { data: null });
          setProps("url", { search: "" });
        }
        if (instance) TourScope.library.mark(instance);
        if (race.id) close();
        if (views && instance) preview(views, instance);
      },
      openForm(edited) {
        if (!edited) dialog().close();
        else if (!dialog().open) dialog().showModal();
      },
      closeForm() {
        dialog().close();
      },
      setX: (value) => TourScope.raceChart.setX(value),
      setY: (value) => TourScope.raceChart.setY(value),
      setLog: (value) => TourScope.raceChart.setLog(value),
      differ: (...chosen) => TourScope.raceDiffer.choose(...chosen),
      wait(told) {
        const lacks = (id) => !told || (Boolean(told.compared) && id === "race-save-file");
        return window.dash_clientside.callback_context.outputs_list.map(({ id }) => lacks(id));
      },
      save() {
        const id = window.dash_clientside.callback_context.triggered_id;
        if (id) TourScope.raceSave(id.replace("race-save-", ""));
      },
    },
  });

  TourScope.on("instance", onInstance);
  TourScope.on("log-message", onLog);
  TourScope.on("head", onHead);
  TourScope.on("refused", onRefused);
  TourScope.on("connection", (now) => {
    connected = now;
    status();
  });
  TourScope.race = race;
  TourScope.when(() => TourScope.byId("race-state"), status);
})((window.TourScope = window.TourScope || {}));
