/* A lecture: where a leading page says it is, and how a page that follows goes there. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { makeFollower } from "../../assets/lecture/follow.js";
import { makeRaceFollower } from "../../assets/lecture/follow_race.js";
import { describePlace } from "../../assets/lecture/lead.js";
import { findWords } from "../../assets/lecture/question_texts.js";

const PLACE = {
  on: true,
  lecture: "abcdefgh",
  page: "watch",
  query: "",
  run: "r",
  view: "tour",
  climb: 1,
  position: 5,
  live: false,
};

let done; // what the page was made to do
let stage;
let arrive; // lets the climb that is asked for arrive

/** A page on which each climb arrives when the test lets it. */
beforeEach(() => {
  done = [];
  window.dash_clientside = {
    set_props: (id, { value, data, search }) => done.push(`${id} ${value ?? search ?? data.run}`),
  };
  const run = { id: null, spec: null, active: () => false, units: () => ({ views: ["tour", "trails"] }) };
  const state = { climb: 0, position: 0, live: false };
  stage = {
    run,
    views: { shown: () => stage.view, choose: (view) => (stage.view = view) },
    view: "tour",
    player: {
      state,
      goLive: () => done.push("live"),
      goToPlace(climb, position) {
        done.push(`stand ${climb} ${position}`);
        Object.assign(state, { climb, position });
        return new Promise((resolve) => (arrive = resolve));
      },
    },
    openRun: (id) => Object.assign(run, { id, spec: null }),
  };
});

/** The run's opening has been told. */
const values = () => Object.assign(stage.run, { spec: {} });
const settled = () => new Promise(setImmediate);

test("a run is opened first, and the place is gone to once it is told of", async () => {
  const follower = makeFollower(stage);
  follower.to(PLACE);
  await settled();
  assert.deepEqual(done, ["run r", "url ?run=r"]);
  assert.equal(follower.isLed(), true);
  values();
  follower.applyAgain();
  await settled();
  assert.deepEqual(done.slice(2), ["stand 1 5"]);
});

test("while a climb is fetched places in between are left out", async () => {
  const follower = makeFollower(stage);
  stage.run.id = "r";
  values();
  follower.to(PLACE);
  for (const climb of [2, 3, 4]) follower.to({ ...PLACE, climb });
  arrive();
  await settled();
  assert.deepEqual(done, ["stand 1 5", "stand 4 5"]);
});

test("who follows no longer is not moved when a climb arrives", async () => {
  const follower = makeFollower(stage);
  stage.run.id = "r";
  values();
  follower.to(PLACE);
  follower.to({ ...PLACE, climb: 2 });
  follower.to(null);
  arrive();
  await settled();
  assert.deepEqual([done, follower.isFollowing()], [["stand 1 5"], false]);
});

test("a place that is not known yet is gone to when more is", async () => {
  const follower = makeFollower(stage);
  stage.run.id = "r";
  values();
  follower.to(PLACE);
  stage.player.state.position = 3; // as far as the climb was known
  arrive();
  await settled();
  follower.more();
  await settled();
  arrive();
  await settled();
  follower.more();
  assert.deepEqual(done, ["stand 1 5", "stand 1 5"]);
});

test("the view is chosen where the algorithm has it, and a live run is followed live while it goes on", async () => {
  const follower = makeFollower(stage);
  stage.run.id = "r";
  values();
  follower.to({ ...PLACE, view: "trails" });
  arrive();
  await settled();
  assert.deepEqual([stage.view, done], ["trails", ["view trails", "stand 1 5"]]);
  follower.to({ ...PLACE, view: "layers", live: true });
  await settled();
  stage.run.active = () => true;
  follower.applyAgain();
  await settled();
  assert.deepEqual([stage.view, done.slice(2)], ["trails", ["live"]]);
});

test("a page leads with a run that it knows; of one that is followed live there is no place", () => {
  assert.equal(describePlace(stage, "abcdefgh"), null);
  stage.run.id = "r";
  assert.equal(describePlace(stage, "abcdefgh"), null);
  values();
  Object.assign(stage.player.state, { climb: 3, position: 6.5 });
  const { on: _, ...place } = { ...PLACE, climb: 3, position: 7 };
  assert.deepEqual(describePlace(stage, "abcdefgh"), place);
  stage.player.state.live = true;
  assert.deepEqual(describePlace(stage, "abcdefgh"), { ...place, climb: 0, position: 0, live: true });
});

/** A page of races on which nothing is open yet. */
function raceStage() {
  const race = { id: null, state: "none" };
  const state = { clock: 0, live: false };
  const player = {
    state,
    front: () => 4,
    milliseconds: () => 1000 * state.clock,
    live: () => done.push("live"),
    seek(seconds) {
      done.push(`seek ${seconds}`);
      Object.assign(state, { clock: seconds, live: false });
    },
  };
  return { race, player, named: () => (race.id ? `id=${race.id}` : "") };
}

const RACE = { ...PLACE, page: "race", query: "id=a", run: "", climb: 0, position: 1500 };

test("a race is opened once, and stood at as far as it is known", () => {
  const races = raceStage();
  const follower = makeRaceFollower(races);
  follower.to(RACE);
  follower.applyAgain();
  assert.deepEqual(done, ["url ?id=a"]);
  assert.equal(follower.isLed(), true); // none is open
  Object.assign(races.race, { id: "a", state: "over" });
  assert.equal(follower.isLed(), true);
  follower.applyAgain();
  follower.applyAgain();
  follower.to({ ...RACE, position: 9000 });
  assert.deepEqual(done.slice(1), ["seek 1.5", "seek 4"]);
});

test("a race that goes is followed live, and one of the reader's own is not led", () => {
  const races = raceStage();
  const follower = makeRaceFollower(races);
  Object.assign(races.race, { id: "a", state: "running" });
  follower.to({ ...RACE, live: true });
  assert.deepEqual([done, follower.isLed()], [["live"], true]);
  races.race.id = null;
  assert.equal(follower.isLed(), false); // another instance was chosen
  races.race.id = "own";
  assert.equal(follower.isLed(), false);
});

test("a lecturer who sets a race up moves nobody's form", () => {
  const races = raceStage();
  races.race.id = "a";
  makeRaceFollower(races).to({ ...RACE, query: "" });
  assert.deepEqual(done, []);
});

test("a race leads with its address and the milliseconds of its clock, any other page with its address", () => {
  const races = raceStage();
  races.race.id = "a";
  races.player.state.clock = 1.5;
  const { on: _, ...place } = RACE;
  assert.deepEqual(describePlace(races, "abcdefgh"), place);
  races.player.state.live = true;
  assert.deepEqual(describePlace(races, "abcdefgh"), { ...place, position: 0, live: true });
  Object.assign(window, { location: { ...window.location, pathname: "/papers/", search: "?paper=p&theme=dark" } });
  assert.deepEqual(describePlace(null, "abcdefgh"), { ...place, page: "papers", query: "paper=p", position: 0 });
});

test("a question is read in the language of the page, and as it was asked where that is not known", async () => {
  page.document.documentElement.lang = "en";
  const asked = { text: "Welche?", answers: ["1 und 2", "Ja"] };
  const words = (source) => findWords({ ...asked, source: source && JSON.stringify(source) });
  const text = [
    { key: "question.temperature", values: { temperature: { measure: 2.5 } } },
    { key: "question.ask.longer" },
  ];
  const answers = [{ key: "question.edges", values: { one: "1", other: "2" } }, "7"];
  assert.deepEqual(await words({ language: "de", text, answers }), {
    text: "T = 2.5. Will the next accepted move make the tour longer?",
    answers: ["1 and 2", "7"],
  });
  assert.deepEqual(await words({ language: "en", text, answers }), asked);
  assert.deepEqual(await words({ language: "de", text: [{ key: "question.unknown" }], answers }), asked);
  assert.deepEqual(await words(""), asked);
  globalThis.DOMParser = class {
    parseFromString = (html) => ({ body: { childNodes: html.split("/").map((textContent) => ({ textContent })) } });
  };
  page.answers.set("/learn/lessons/mine", {
    steps: [{}, { html: "Before/Which?", answers: [{ html: "a" }, { html: "b" }] }],
  });
  assert.deepEqual(await words({ language: "de", lesson: "mine", step: 1 }), { text: "Which?", answers: ["a", "b"] });
  assert.deepEqual(await words({ language: "de", lesson: "another", step: 1 }), asked);
});
