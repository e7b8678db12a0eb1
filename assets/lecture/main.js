/*
 * A lecture on a shared server (docs/class.md): the host's page leads, and all other pages follow until their readers
 * leave; the host asks the class questions, which appear on all pages. The behaviour depends only on the server's last
 * message and the state kept in this tab, so that a reload changes nothing.
 */
import { clicked, closest } from "../common/dom.js";
import { bringMap } from "../common/map/bring.js";
import { mode, reduce } from "./attendance.js";
import { makeBar } from "./bar.js";
import { storeChoice, readChoice } from "./tab_state.js";
import { makeFollower } from "./follow.js";
import { makeRaceFollower } from "./follow_race.js";
import { makeLeader, post } from "./lead.js";
import { makeNicknameRow } from "./nickname.js";
import { formatAddress, pageHere } from "./place.js";
import { makeCard } from "./question.js";
import { findWords } from "./question_texts.js";

/** Make a unique id for a lecture or a question. */
const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte % 36).toString(36)).join("");

/** @param {LectureStage | RaceStage} stage */
const makeFittingFollower = (stage) => ("race" in stage ? makeRaceFollower(stage) : makeFollower(stage));

/**
 * Start the script on a page.
 * @param {LectureStage | RaceStage | null} stage state that a lecture controls, if the page has one
 * @param {(on: boolean) => void} attend tells the server whether this page follows
 * @param {typeof import("../common/events.js").on} on event function of the page
 * @param {{ lecture: LectureValues | null, class: ClassValues | null }} newest the server's last messages
 */
export function begin(stage, attend, on, newest) {
  const page = pageHere();
  const goes = readChoice("goes");
  const along = goes.split("?")[0] === page;
  let movedTo = along ? goes : ""; // the address to which this page was moved, without its run or race
  storeChoice("goes", "");
  /** @type {import("./attendance.js").Attendance} */
  let state = {
    ...{
      page,
      isStage: Boolean(stage),
      now: { on: false },
      isFirst: true,
      leads: "",
      stopped: "",
      along,
      notice: null,
    },
    ...{ mine: readChoice("leads"), left: readChoice("left") },
  };
  const leader = makeLeader(stage, (sentence) => dispatch("refuse", sentence));
  const follower = stage && makeFittingFollower(stage);
  const bar = makeBar(act, () => post("stop"));

  /**
   * @param {string} action of `attendance.js`
   * @param {unknown} [value]
   */
  function dispatch(action, value) {
    const { leads } = state;
    state = reduce(state, action, value);
    if (state.leads && !leads) leader.begin(state.leads);
    else if (!state.leads) leader.end();
    storeChoice("leads", state.mine);
    storeChoice("left", state.left);
    updateBar();
  }

  /** Apply the lecturer's position, or move to their page. */
  function followLecturer() {
    const { now } = state;
    const isHere = now.page === page;
    const address = `${now.page}?${now.query}`;
    if (isHere && (follower || movedTo === address)) return;
    movedTo = address;
    storeChoice("goes", address);
    window.location.assign(formatAddress(now));
  }

  function updateBar() {
    const { now, notice } = state;
    const current = mode(state);
    const follows = current === "follows";
    bar.show(current, {
      following: current === "leads" ? now.following : undefined,
      href: now.on ? formatAddress(now) : "",
      host: now.following !== undefined && now.on && !state.leads,
      why: notice || "",
    });
    attend(follows);
    if (follows) followLecturer();
    follower?.to(follows && now.page === page ? /** @type {LecturePlace} */ (now) : null);
  }

  function stop() {
    dispatch("stop");
    if (state.stopped) post("stop");
  }

  /** Return the action of the row's button. */
  function act() {
    const current = mode(state);
    if (state.leads) stop();
    else dispatch(current === "follows" ? "leave" : current === "left" ? "rejoin" : "close");
  }

  const leave = () => dispatch("leave");
  const again = () => follower?.applyAgain();
  const leaveUnlessLed = () => (follower?.isLed() ? follower.applyAgain() : leave());
  const sendPlace = () => leader.sendPlace();
  on("lecture", (values) => dispatch("receive", values));
  on(["player", "view", "viewed", "opened", "race-opened", "race-moment", "race-player"], sendPlace);
  on("worked", leave);
  on(["closed", "race-opened"], leaveUnlessLed);
  on(["opened", "viewed", "race-moment", "race-player"], again);
  on(["log", "climb", "race-log"], () => follower?.more());
  document.addEventListener("input", (event) => {
    if (event.isTrusted && closest(event, "#view")) leave(); // a person has chosen another view
  });
  clicked("#lead", () => (state.leads ? stop() : dispatch("lead", newId())));
  clicked("#lecture-link", () => {
    dispatch("forget");
    storeChoice("goes", `${state.now.page}?${state.now.query}`);
  });
  updateBar();
  if (newest.lecture) dispatch("receive", newest.lecture);
  beginClass(stage, on, newest.class);
}

/**
 * Handle the questions to the class, and ask for a nickname.
 * @param {LectureStage | RaceStage | null} stage
 * @param {typeof import("../common/events.js").on} on
 * @param {ClassValues | null} newest
 */
function beginClass(stage, on, newest) {
  const card = makeCard();
  const nickname = makeNicknameRow();
  /** @type {AskedQuestion | null} */
  let question = null;
  let isHost = false;
  let marked = ""; // the last question whose answers were on the map
  /** @type {ClassValues | null} */
  let latest = null;
  /** The words of the last question. @type {{ id: string, text: string, answers: string[] } | null} */
  let words = null;

  /**
   * Mark the answers on the map while it shows the moment of the question; on a phone, bring the map into view above
   * the card.
   */
  function mark() {
    if (!stage || !("letter" in stage)) return;
    const [{ state }, marks] = [stage.player, question?.marks];
    const isThere = marks && !state.live && stage.run.id === marks.run && state.climb === marks.climb;
    const cities = marks && isThere && Math.round(state.position) === marks.position ? marks.cities : [];
    card.showOnMap(cities.length > 0);
    stage.letter(cities, question?.phase === "open" && !isHost ? card.choose : null);
    if (!question || !cities.length || marked === question.id) return;
    marked = question.id;
    bringMap();
  }

  /** @param {ClassValues} values */
  async function receiveClass(values) {
    latest = values;
    nickname.show(values);
    const { question: asked, host } = values;
    if (asked && words?.id !== asked.id) words = { id: asked.id, ...(await findWords(asked)) };
    if (values !== latest) return; // a newer message has arrived meanwhile
    [question, isHost] = [asked && { ...asked, ...words }, host];
    card.show(question, host);
    mark();
  }

  on("class", receiveClass);
  on(["player", "map"], mark);
  document.addEventListener("ask-class", (event) => {
    const { source, ...asked } = event instanceof CustomEvent ? event.detail : {};
    const { lang: language } = document.documentElement;
    card.ask({ id: newId(), ...asked, source: source ? JSON.stringify({ language, ...source }) : "" });
  });
  if (newest) receiveClass(newest);
}
