/* The table of all runs: requested every few seconds while it is visible, for one instance or for all. */
import { byId } from "../common/dom.js";
import { element } from "../common/elements.js";

const EVERY = 5000; // milliseconds

/**
 * A run as `components/classroom/results.py` describes it.
 * @typedef {Record<"run" | "href" | "who" | "instance" | "algorithm" | "length" | "gap" | "time" | "state", string>
 *   & { own: boolean }} ResultRow
 */

/** @type {ResultRow[]} */
let rows = [];

/**
 * @param {ResultRow} row
 * @param {number} place
 */
function makeRow({ run, href, who, own, instance, algorithm, length, gap, time, state }, place) {
  const link = href ? element("a", { href, "data-run": run }, algorithm) : algorithm;
  const after = state ? element("small", {}, ` ${state}`) : null;
  return element(
    "tr",
    { class: own && "own" },
    element("td", { class: "place" }, String(place)),
    element("td", {}, who),
    element("td", {}, instance),
    element("td", {}, link),
    ...[length, gap].map((number) => element("td", { class: "number" }, number)),
    element("td", { class: "number" }, time, after),
  );
}

/** Redraw the rows; a focused link stays focused. */
function draw() {
  const chosen = byId("class-instance").value;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.run : undefined;
  const displayed = rows.filter(({ instance }) => !chosen || instance === chosen);
  const body = byId("class-rows");
  body.replaceChildren(...displayed.map((row, k) => makeRow(row, k + 1)));
  byId("class-none").hidden = displayed.length > 0;
  if (focused) body.querySelector(`[data-run="${focused}"]`)?.focus();
}

/** Offer the instances that have runs; the chosen one stays. */
function offer() {
  const select = byId("class-instance");
  const [{ label }] = select.options;
  const names = [...new Set([...rows.map(({ instance }) => instance), select.value].filter(Boolean))].sort();
  const { value } = select;
  select.replaceChildren(element("option", { value: "" }, label), ...names.map((name) => element("option", {}, name)));
  select.value = value;
}

async function ask() {
  if (!document.hidden) {
    const answer = await fetch("runs/rows", { cache: "no-cache" }).catch(() => null); // null: no server
    byId("outdated").hidden = Boolean(answer?.ok);
    const news = answer?.ok ? (await answer.json()).rows : rows;
    if (JSON.stringify(news) !== JSON.stringify(rows) || !rows.length) {
      rows = news;
      offer();
      draw();
    }
  }
  window.setTimeout(ask, EVERY);
}

if (byId("class-rows")) {
  byId("class-instance").addEventListener("change", draw);
  ask();
}
