/*
 * View settings in an address, in addition to what it opens: `theme`, `scale` (of the type in presentation mode),
 * `present`, and the position in the run or race. The server reads none of them (`VIEW` of
 * `components/shell/address.py`). `early/theme.js` applies theme, scale and `present` before the first paint.
 */

/** Parse a whole number, or null. */
const parseWhole = (/** @type {string | null} */ text) =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

const query = () => new URLSearchParams(window.location.search || "");

/**
 * Change the address without adding a history entry.
 * @param {Record<string, string | null>} changes null removes a field
 */
function change(changes) {
  const stored = (window.location.search || "").slice(1).split("&");
  const others = stored.filter((field) => field && !(field.split("=")[0] in changes));
  const own = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [value ? `${name}=${value}` : name],
  );
  const search = [...others, ...own].join("&");
  window.history.replaceState(window.history.state, "", `${window.location.pathname}${search && `?${search}`}`);
}

/**
 * Return the climb and move in a run's link, but only once; afterwards the player's own position counts.
 * @param {string | null} run
 * @returns {{ climb: number, position: number, live: boolean } | null}
 */
function takePlace(run) {
  const params = query();
  const [climb, move] = [parseWhole(params.get("climb")), parseWhole(params.get("move"))];
  if (!run || params.get("run") !== run || climb === null) return null;
  change({ climb: null, move: null });
  return { climb, position: move ?? 0, live: false };
}

/** Return the time in a race's link, in seconds, but only once; null if the link has none. */
function takeMoment() {
  const at = Number.parseFloat(query().get("at") || "");
  if (!(at >= 0)) return null;
  change({ at: null });
  return at;
}

export const viewAddress = { change, takePlace, takeMoment, has: (/** @type {string} */ name) => query().has(name) };
