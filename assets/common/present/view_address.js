/*
 * What an address says of how a page is seen, beside what it opens: `theme`, `scale` (of the type while presenting),
 * `present`, and the moment of the run or race that is shown. The server reads none of it (`VIEW` of
 * `components/shell/address.py`). `early/theme.js` has set theme, scale and `present` before the first picture.
 */

/** A whole number, or null. */
const whole = (/** @type {string | null} */ text) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);

const query = () => new URLSearchParams(window.location.search || "");

/**
 * Change the address without another entry in the history.
 * @param {Record<string, string | null>} changes null takes a field away
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
 * The climb and the move of a run that a link names, once: after that the player's own place counts.
 * @param {string | null} run
 * @returns {{ climb: number, position: number, live: boolean } | null}
 */
function takePlace(run) {
  const params = query();
  const [climb, move] = [whole(params.get("climb")), whole(params.get("move"))];
  if (!run || params.get("run") !== run || climb === null) return null;
  change({ climb: null, move: null });
  return { climb, position: move ?? 0, live: false };
}

/** The second of a race that a link names, once; null without one. */
function takeMoment() {
  const at = Number.parseFloat(query().get("at") || "");
  if (!(at >= 0)) return null;
  change({ at: null });
  return at;
}

export const viewAddress = { change, takePlace, takeMoment, has: (/** @type {string} */ name) => query().has(name) };
