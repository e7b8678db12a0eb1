/*
 * A lecture on a shared server (docs/class.md): the host's page leads, and all other pages follow until their readers
 * leave; the host asks the class questions, which appear on all pages. The behaviour depends only on the server's last
 * message and the state kept in this tab, so that a reload changes nothing.
 */
import { closest } from "../common/dom.js";
import { bringMap } from "../common/map/bring.js";
import { makeBar } from "./bar.js";
import { storeChoice, readChoice } from "./tab_state.js";
import { makeFollower } from "./follow.js";
import { makeRaceFollower } from "./follow_race.js";
import { makeLeader, post } from "./lead.js";
import { makeNicknameRow } from "./nickname.js";
import { formatAddress, pageHere } from "./place.js";
import { makeCard } from "./question.js";
import { findWords } from "./question_texts.js";

/** @typedef {import("./bar.js").Mode} Mode */

/** Make a unique id for a lecture or a question. */
const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte % 36).toString(36)).join("");

/** @param {LectureStage | RaceStage} stage */
const makeFittingFollower = (stage) => ("race" in stage ? makeRaceFollower(stage) : makeFollower(stage));

/**
 * Start the script on a page.
 * @param {LectureStage | RaceStage | null} stage state to control, if the page has it
 * @param {(on: boolean) => void} attend tells the server whether this page follows
 * @param {typeof import("../common/events.js").on} on event function of the page
 * @param {{ lecture: LectureValues | null, class: ClassValues | null }} newest last messages of the server
 */
export function begin(stage, attend, on, newest) {
  /** @type {LectureValues} */
  let now = { on: false };
  let isFirst = true; // whether no message has arrived yet
  let ended = false; // whether a lecture with this page has ended, until its notice is closed
  let why = ""; // reason why this page may no longer lead
  let stopped = ""; // lecture ended by this page, whose later messages are ignored
  const leader = makeLeader(stage, (sentence) => {
    [ended, why] = [true, sentence];
    stopLeading();
    updateBar();
  });
  const follower = stage && makeFittingFollower(stage);
  const page = pageHere();
  // Whether this page follows to other pages. Visitors who came here by themselves stay, with a link to the lecturer,
  // so that nobody loses a form they have just filled in.
  let along = readChoice("goes").split("?")[0] === page;
  let stands = along ? readChoice("goes") : ""; // the address that this page was moved to, without a run and a race
  storeChoice("goes", "");
  const bar = makeBar(act, () => post("stop"));

  /** @returns {Mode} */
  function mode() {
    if (leader.id()) return now.on ? "leads" : "waits";
    if (!now.on) return ended ? (why ? "stopped" : "over") : "none";
    if (readChoice("left") === now.lecture && (along || isHere())) return "left";
    return along || (page === "watch" && isHere()) ? "follows" : "away";
  }

  const isHere = () => now.page === page;

  /** Apply the lecturer's position, or move to their page. */
  function followLecturer() {
    along = true;
    if (isHere() && follower) return;
    const address = `${now.page}?${now.query}`;
    if (isHere() && stands === address) return;
    stands = address;
    storeChoice("goes", address);
    window.location.assign(formatAddress(now));
  }

  function updateBar() {
    const current = mode();
    const follows = current === "follows";
    const isHost = now.following !== undefined;
    bar.show(current, {
      following: current === "leads" ? now.following : undefined,
      href: now.on ? formatAddress(now) : "",
      host: isHost && now.on && !leader.id(),
      why,
    });
    attend(follows);
    if (follows) followLecturer();
    follower?.to(follows && isHere() ? /** @type {LecturePlace} */ (now) : null);
  }

  /** @param {LectureValues} values */
  function receiveLecture(values) {
    if (values.on && values.lecture === stopped) return;
    const [before, was] = [now, mode()];
    now = values;
    if (!now.on) along = false;
    else if (stage && isHere() && now.lecture !== before.lecture) along = true;
    if (!leader.id()) resume();
    else if (before.lecture === leader.id() && now.lecture !== leader.id()) stopLeading();
    if (now.on) [ended, why] = [false, ""];
    else if (was === "follows" || was === "leads") ended = true;
    updateBar();
  }

  /** Continue to lead after a reload, once a run is open. */
  function resume() {
    const mine = readChoice("leads");
    if (mine && (now.on ? now.lecture === mine : isFirst)) leader.begin(mine);
    else if (mine) storeChoice("leads", "");
    isFirst = false;
  }

  function stopLeading() {
    leader.end();
    storeChoice("leads", "");
  }

  function lead() {
    const id = newId();
    storeChoice("leads", id);
    [ended, why] = [false, ""];
    leader.begin(id);
    updateBar();
  }

  async function stop() {
    if (now.lecture === leader.id()) {
      stopped = leader.id();
      now = { on: false, following: now.following };
    }
    stopLeading();
    updateBar();
    if (stopped) await post("stop");
  }

  /** Return the action of the row's button. */
  function act() {
    const current = mode();
    if (current === "leads" || current === "waits") stop();
    else if (current === "follows") leave();
    else if (current === "left") rejoin();
    ended = false;
    updateBar();
  }

  function rejoin() {
    storeChoice("left", "");
    along = true;
  }

  function leave() {
    if (mode() !== "follows") return;
    storeChoice("left", now.lecture || "");
    updateBar();
  }

  const sendPlace = () => leader.sendPlace();
  on("lecture", receiveLecture);
  on(["player", "view", "viewed", "opened"], sendPlace);
  on(["race-opened", "race-moment", "race-player"], sendPlace);
  on("worked", leave);
  on("closed", () => (follower?.isLed() ? follower.applyAgain() : leave()));
  on(["opened", "viewed"], () => follower?.applyAgain());
  on("race-opened", () => (follower?.isLed() ? follower.applyAgain() : leave()));
  on(["race-moment", "race-player"], () => follower?.applyAgain());
  on(["log", "climb", "race-log"], () => follower?.more());
  document.addEventListener("input", (event) => {
    if (event.isTrusted && closest(event, "#view")) leave(); // a person has chosen another view
  });
  document.addEventListener("click", (event) => {
    if (closest(event, "#lead")) leader.id() ? stop() : lead();
    else if (closest(event, "#lecture-link")) {
      storeChoice("left", "");
      storeChoice("goes", `${now.page}?${now.query}`);
    }
  });
  updateBar();
  if (newest.lecture) receiveLecture(newest.lecture);
  beginClass(stage, on, newest.class);
}

/**
 * Show the question to the class, and ask for a nickname.
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
  /** Words of the last question. @type {{ id: string, text: string, answers: string[] } | null} */
  let words = null;

  /** Mark the answers on the map while it shows the moment of the question; on a phone, bring it above the card. */
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
    if (values !== latest) return; // another message arrived meanwhile
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
