/*
 * The first view of the study in the address, shown as soon as the page has a place for it, before any callback runs.
 */
import { byId, setText } from "../common/dom.js";
import { studyTables } from "../common/charts/tables.js";
import { studyPlots } from "./plots.js";

const request = window.firstStudy; // set by `early/study.js`

/**
 * Fill only the empty parts: anything that Dash has set meanwhile is newer.
 * @param {FirstView | null} view
 */
function show(view) {
  const matrix = byId("study-matrix");
  if (!view?.matrix || !matrix || matrix.rows.length) return;
  byId("study-results").className = view.style;
  setText("study-heading", view.heading);
  setText("study-state", view.state);
  setText("study-matrix-note", view.matrix_note);
  studyTables.matrix(view.matrix, "all");
  studyPlots.prepare();
}

// While Dash builds the page, it may replace a filled place with an empty one.
const watch = new MutationObserver(() => request?.answer.then(show));
if (request) watch.observe(document.body, { childList: true, subtree: true });

/** Leave the page to the callbacks, whose results are newer. */
export const endFirstView = () => watch.disconnect();

window.setTimeout(endFirstView, 20000);
