/* An entry of a paper: its claim, its chart and table with our results, and the buttons to measure it. */
import { closest } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { text as common } from "../common/texts.js";
import { charts } from "./charts.js";
import { measuring } from "./jobs.js";
import { table } from "./table.js";
import { text } from "./texts.js";
import { views } from "./views.js";

const COPIED = 2000; // milliseconds for which a button shows that it has copied

/** @param {string} words */
const line = (words, style = "note") => (words ? element("p", { class: style }, words) : null);

/** @param {PaperEntry} entry */
function head({ id, name, place, title }) {
  const link = {
    class: "link",
    href: `?entry=${name}`,
    "data-entry-link": name,
    "aria-label": text("entry.link.title", { title }),
  };
  return element(
    "div.entry-head-row",
    element("h3", { id: `heading-${id}` }, title),
    element("span.entry-place", { id: `place-${id}` }, place),
    element("a", link, text("entry.link")),
  );
}

/** @param {PaperEntry} entry */
function finding({ finding: words, run, title }) {
  const link = run
    ? element("a.link", { href: run, title: text("entry.run.title", { title }) }, text("entry.run"))
    : null;
  return element("p.note.entry-finding", element("b", text("entry.finding")), " ", words, link ? " " : null, link);
}

/** @param {PaperEntry} entry */
function chart(entry) {
  const { id, title, figure } = entry;
  if (!figure) return null;
  const place = `papers-chart-${id}`;
  const kinds = ["PNG", "SVG", "CSV"].map((kind) =>
    button(
      { class: "save", "data-chart": place, "data-save": kind.toLowerCase(), title: common("save.chart", { kind }) },
      kind,
    ),
  );
  const canvas = element("div.paper-plot", { id: place, role: "img", "aria-label": text("entry.chart", { title }) });
  canvas.style.setProperty("--series", String(figure.data.length));
  charts.plot(canvas, figure);
  return element("div.paper-chart", views(entry, canvas), element("div.saves", ...kinds), canvas);
}

/** @param {PaperEntry} entry */
function figures({ name, title, table: details }) {
  if (!details) return null;
  const kinds = [
    ["csv", common("save.csv")],
    ["tex", text("save.latex")],
  ];
  const files = kinds.map(([ending, kind]) => {
    const save = {
      class: "save",
      href: `entries/${name}.${ending}`,
      download: true,
      title: text("save.table", { kind }),
    };
    return element("a", save, kind);
  });
  const saves = element("div.saves", { role: "group", "aria-label": text("entry.files", { title }) }, ...files);
  return element("div.paper-figures", table(details, title), saves);
}

/** @param {PaperEntry} entry */
function recipe({ summary, command }) {
  const copy = { class: "save", "data-copy": command, "aria-label": text("copy.title") };
  const line = element("div.entry-command", element("code", command), button(copy, text("copy")));
  return [element("p.note", text("entry.recipe", { summary })), line];
}

/** @param {PaperEntry} entry */
function parts(entry) {
  const { headline, drawing, short, sources, remarks, note, likeness } = entry;
  const conditions = [...sources, ...remarks, note].map((words) => line(words));
  return [
    head(entry),
    line(headline, "note entry-headline"),
    finding(entry),
    line(short, "entry-short"),
    line(drawing),
    chart(entry),
    figures(entry),
    line(likeness),
    element("details.entry-more", element("summary", text("entry.measuring")), ...conditions, ...recipe(entry)),
  ].filter((child) => child !== null);
}

/** @param {PaperEntry} entry */
export function section(entry) {
  const { id, name } = entry;
  const named = `heading-${id} place-${id}`; // a table and a figure of a paper may have the same title
  return element(
    "section.paper-entry",
    { id: `entry-${id}`, "data-name": name, "aria-labelledby": named, tabindex: -1 },
    element("div.entry-body", ...parts(entry)),
    measuring.part(entry),
  );
}

/**
 * Redraw an entry in its place; the focus stays on the measurement below it.
 * @param {PaperEntry} entry
 */
export function renew(entry) {
  const place = document.getElementById(`entry-${entry.id}`);
  const body = place?.querySelector(".entry-body");
  const measure = measuring.findPlace(entry.name);
  if (!body || !measure) return;
  charts.forget(body);
  body.replaceChildren(...parts(entry));
  measuring.fill(measure, entry, text("job.done"));
}

/**
 * Select the text that could not be copied, so that the user can copy it by hand.
 * @param {Element} element
 */
function select(element) {
  window.getSelection()?.selectAllChildren(element);
}

document.addEventListener("click", async (event) => {
  const copy = closest(event, "button[data-copy]");
  if (!copy) return;
  try {
    await navigator.clipboard.writeText(copy.dataset.copy || "");
  } catch {
    const code = copy.parentElement?.querySelector("code"); // without HTTPS, browsers do not let a page copy
    if (code) select(code);
    return;
  }
  const words = copy.lastElementChild;
  if (words) words.textContent = text("copy.done");
  window.setTimeout(() => {
    if (words) words.textContent = text("copy");
  }, COPIED);
});
