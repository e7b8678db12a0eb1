/* What a page does in a lecture, as a reducer: who leads it, and whether its reader follows. */

/** @typedef {import("./bar.js").Mode} Mode */

/**
 * @typedef {object} Attendance
 * @property {string} page name of this page
 * @property {boolean} isStage whether the page has a state to control
 * @property {LectureValues} now the server's last message
 * @property {boolean} isFirst whether no message has arrived yet
 * @property {string} leads lecture led by this page
 * @property {string} mine lecture led by this tab, which goes on after a reload
 * @property {string} left lecture that the reader has left
 * @property {string} stopped lecture ended by this page, whose later messages are ignored
 * @property {boolean} along whether this page follows to other pages. Visitors who came here by themselves stay, with a
 *   link to the lecturer, so that nobody loses a form they have just filled in.
 * @property {string | null} notice why this page no longer leads, empty if a lecture with it has ended, until closed
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
 * The change of each action.
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
