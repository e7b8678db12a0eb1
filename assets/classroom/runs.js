/*
 * The table of all runs: requested every few seconds while it is visible, for one instance or for all. Visitors can
 * change their nickname above it, and the host can remove nicknames.
 */
import { readJson } from "../common/response.js";
import { byId } from "../common/dom.js";
import { button, element } from "../common/elements.js";

const EVERY = 5000; // milliseconds

/**
 * A run as `components/classroom/results.py` describes it.
 * @typedef {Record<"run" | "href" | "who" | "instance" | "algorithm" | "length" | "gap" | "time" | "state", string>
 *   & { own: boolean, named: number }} ResultRow
 */

/** @type {ResultRow[]} */
let rows = [];

/**
 * Send a request about names; resolves to the values in the response.
 * @param {"name" | "unname"} what
 * @param {object} values
 */
async function post(what, values) {
  const answer = await fetch(what, { method: "POST", body: JSON.stringify(values) }).catch(() => null);
  return answer ? readJson(answer).catch(() => ({})) : {};
}

/**
 * Make the button that removes a nickname.
 * @param {string} name
 * @param {number} visitor
 */
function makeRemover(name, visitor) {
  const { remove } = byId("class-rows").dataset;
  const label = remove.replace("{name}", name);
  const node = button({ class: "button quiet class-unname", title: label, "aria-label": label }, "", "close");
  node.addEventListener("click", async () => {
    await post("unname", { visitor });
    await fetchRows();
  });
  return node;
}

/**
 * @param {ResultRow} row
 * @param {number} place
 */
function makeRow({ run, href, who, own, named, instance, algorithm, length, gap, time, state }, place) {
  const link = href ? element("a", { href, "data-run": run }, algorithm) : algorithm;
  const after = state ? element("small", ` ${state}`) : null;
  return element(
    "tr",
    { class: own && "own" },
    element("td.place", String(place)),
    element("td", who, named ? makeRemover(who, named) : null),
    element("td", instance),
    element("td", link),
    ...[length, gap].map((number) => element("td.number", number)),
    element("td.number", time, after),
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

/** Offer the instances that have runs; the chosen instance stays chosen. */
function offer() {
  const select = byId("class-instance");
  const [{ label }] = select.options;
  const names = [...new Set([...rows.map(({ instance }) => instance), select.value].filter(Boolean))].sort();
  const { value } = select;
  select.replaceChildren(element("option", { value: "" }, label), ...names.map((name) => element("option", name)));
  select.value = value;
}

async function fetchRows() {
  const answer = await fetch("runs/rows", { cache: "no-cache" }).catch(() => null); // null: no server
  byId("outdated").hidden = Boolean(answer?.ok);
  const news = answer?.ok ? (await answer.json()).rows : rows;
  if (JSON.stringify(news) !== JSON.stringify(rows) || !rows.length) {
    rows = news;
    offer();
    draw();
  }
}

async function pollRows() {
  if (!document.hidden) await fetchRows();
  window.setTimeout(pollRows, EVERY);
}

/** @param {Event} event */
async function saveName(event) {
  event.preventDefault();
  const [field, message] = [byId("class-name"), byId("class-name-sentence")];
  const { name, sentence } = await post("name", { name: field.value });
  if (name !== undefined) field.value = name;
  message.textContent = name === undefined ? sentence || "" : message.dataset[name ? "saved" : "removed"];
}

if (byId("class-rows")) {
  byId("class-instance").addEventListener("change", draw);
  byId("class-name-form")?.addEventListener("submit", saveName);
  pollRows();
}
