/* The first view of a study that the address names: shown as soon as the page has a place for it, before its callbacks. */
import { byId, setText, when } from "../common/dom.js";
import { studyTables } from "../common/charts/tables.js";
import { studyPlots } from "./plots.js";

const asked = window.firstStudy; // by `early/study.js`

/**
 * Fill what is still empty: whatever Dash has brought meanwhile is newer.
 * @param {FirstView | null} told
 */
function show(told) {
  const matrix = byId("study-matrix");
  if (!told?.matrix || !matrix || matrix.rows.length) return;
  byId("study-results").className = told.style;
  setText("study-heading", told.heading);
  setText("study-state", told.state);
  setText("study-matrix-note", told.matrix_note);
  studyTables.matrix(told.matrix, "all");
  studyPlots.prepare();
}

/** @type {MutationObserver | null} */
let watch = null;

/**
 * Show it again whenever Dash has put an empty place where the full one was, as it may while it builds the page.
 * @param {FirstView | null} told
 */
function keep(told) {
  watch = new MutationObserver(() => show(told));
  watch.observe(document.body, { childList: true, subtree: true });
  show(told);
}

/** What the callbacks bring is newer: leave the page to them. */
export const endFirstView = () => {
  watch?.disconnect();
  watch = null;
};

if (asked) {
  when(
    () => document.body,
    () => asked.answer.then(keep),
    5,
  );
  window.setTimeout(endFirstView, 20000);
}
