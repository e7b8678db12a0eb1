/* A page's part in a lecture, as a reducer: who leads, and whether the page's reader follows. */

/** @typedef {import("./bar.js").Mode} Mode */

/**
 * @typedef {object} Attendance
 * @property {string} page name of this page
 * @property {boolean} isStage whether the page has a state to control
 * @property {LectureValues} now the server's last message
 * @property {boolean} isFirst whether no message has arrived yet
 * @property {string} leads the lecture led by this page
 * @property {string} mine the lecture led by this tab, which continues after a reload
 * @property {string} left the lecture that the reader has left
 * @property {string} stopped the lecture that this page ended and whose later messages it ignores
 * @property {boolean} along whether this page follows the lecturer to other pages. Visitors who came to their page by
 * themselves stay there, with a link to the lecturer, so that nobody loses a form they have just filled in.
 * @property {string | null} notice why this page no longer leads, or empty if the lecture has ended; null if there is
 * no notice, or once it is closed
 */

/**
 * Return the state of the page, by name.
 * @param {Attendance} attendance
 * @returns {Mode}
 */
export function mode({ page, now, leads, left, along, notice }) {
  const isHere = now.page === page;
  if (leads) return now.on ? "leads" : "waits";
  if (!now.on) return notice === null ? "none" : notice ? "stopped" : "over";
  if (left === now.lecture && (along || isHere)) return "left";
  return along || (page === "watch" && isHere) ? "follows" : "away";
}

/**
 * @param {Attendance} before
 * @param {LectureValues} now
 */
function receive(before, now) {
  const { isStage, page, isFirst, mine, notice } = before;
  if (now.on && now.lecture === before.stopped) return {};
  const isNew = isStage && now.page === page && now.lecture !== before.now.lecture;
  const along = Boolean(now.on) && (isNew || before.along);
  const ended = ["follows", "leads"].includes(mode(before)) ? (notice ?? "") : notice;
  const received = { now, along, isFirst: false, notice: now.on ? null : ended };
  if (before.leads) {
    const isOver = before.now.lecture === before.leads && now.lecture !== before.leads;
    return isOver ? { ...received, leads: "", mine: "" } : received;
  }
  const leads = (now.on ? now.lecture === mine : isFirst) ? mine : ""; // it leads once a run is open
  return { ...received, leads, mine: leads };
}

/**
 * The change made by each action.
 * @type {Record<string, (before: Attendance, value: any) => Partial<Attendance>>}
 */
const ACTIONS = {
  receive,
  lead: (_, id) => ({ leads: id, mine: id, notice: null }),
  refuse: (_, why) => ({ leads: "", mine: "", notice: why }),
  stop: ({ now, leads, stopped }) => ({
    ...{ leads: "", mine: "", notice: null },
    ...(now.lecture === leads ? { stopped: leads, now: { on: false, following: now.following } } : { stopped }),
  }),
  leave: (before) => (mode(before) === "follows" ? { left: before.now.lecture || "" } : {}),
  rejoin: () => ({ left: "", along: true }),
  forget: () => ({ left: "" }),
  close: () => ({ notice: null }),
};

/**
 * Return the attendance after an action.
 * @param {Attendance} before
 * @param {string} action
 * @param {unknown} [value] of the action
 * @returns {Attendance}
 */
export function reduce(before, action, value) {
  const after = { ...before, ...ACTIONS[action](before, value) };
  return mode(after) === "follows" ? { ...after, along: true } : after;
}
