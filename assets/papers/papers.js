/* Shows the paper named in the address, `?paper=uchida` or `?entry=uchida/table-ii`, else the first paper. */
import { byId, closest, setText, when } from "../common/dom.js";
import { note } from "../common/faults.js";
import { element } from "../common/elements.js";
import { charts } from "./charts.js";
import { renew, section } from "./entry.js";
import { measuring } from "./jobs.js";
import { text } from "./texts.js";

const WIDE = window.matchMedia("(min-width: 768px)"); // on a narrow screen nothing but a long list would be visible

let shownPaper = ""; // the id of the shown paper
let requestCount = 0; // number of the last request; late responses to earlier ones are dropped

/** Return the paper and the entry in the address; both empty without one. */
function parseAddress() {
  const query = new URLSearchParams(window.location.search);
  const entry = query.get("entry") || "";
  return { id: entry.split("/")[0] || query.get("paper") || "", entry };
}

/** @returns {NodeListOf<HTMLAnchorElement>} */
const cards = () => document.querySelectorAll("#papers-cards a");

/**
 * @param {string} address
 * @param {string} name of the requested paper or entry
 */
async function fetchPaper(address, name) {
  const answer = await fetch(address);
  await note(answer, name);
  return answer.ok ? answer.json() : null;
}

/**
 * List the entries as links; an entry that falls short shows its lowest ratio.
 * @param {PaperJson} details
 */
function contents({ entries }) {
  const links = entries.map(({ name, place, title, worst }) =>
    element(
      "li",
      element("a", { href: `?entry=${name}`, "data-entry-link": name }, element("b", place.split(",")[0]), ` ${title}`),
      worst ? element("small.short", ` ${worst}`) : null,
    ),
  );
  const open = WIDE.matches;
  return element("details.papers-contents", { open }, element("summary", text("contents")), element("ol", ...links));
}

/** @param {PaperJson} details */
function show(details) {
  setText("papers-heading", details.title);
  const about = [details.about, details.read, details.order].filter(Boolean).map((words) => {
    const line = document.createElement("p");
    line.textContent = words;
    line.className = words === details.order ? "entry-short" : "note";
    return line;
  });
  byId("papers-about").replaceChildren(...about, contents(details));
  const place = byId("papers-entries");
  charts.forget(place);
  place.replaceChildren(...details.entries.map(section));
  for (const card of cards()) {
    if (card.dataset.paper === details.id) card.setAttribute("aria-current", "true");
    else card.removeAttribute("aria-current");
  }
}

/** Scroll to the entry in the address, or to the beginning of the paper. */
function scroll() {
  const { entry } = parseAddress();
  const place = entry && document.getElementById(`entry-${entry.split("/")[1]}`);
  if (place) {
    place.scrollIntoView();
    place.focus({ preventScroll: true });
  } else document.querySelector(".papers-main")?.scrollTo(0, 0);
  if (entry && !place) fetchPaper(`entries/${entry}`, "entry"); // the server suggests what the reader may mean
}

/** Show the paper and entry in the address. */
async function follow() {
  const wanted = parseAddress();
  requestCount += 1;
  const number = requestCount;
  if (wanted.id && wanted.id === shownPaper) {
    scroll();
    return;
  }
  const paper = await fetchPaper(`paper?name=${encodeURIComponent(wanted.id)}`, "paper");
  if (!paper || number !== requestCount) return;
  when(
    () => byId("papers-entries"),
    () => {
      show(paper);
      shownPaper = paper.id;
      if (wanted.id) scroll();
      measuring.look();
    },
  );
}

measuring.listen(async (name) => {
  const entry = await fetchPaper(`entries/${name}`, name);
  if (entry) renew(entry);
});

document.addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement | null} */
  const link = closest(event, "#papers-cards a, a[data-entry-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  window.history.pushState(null, "", link.getAttribute("href"));
  follow();
});
window.addEventListener("popstate", follow);

follow(); // now, so that it runs while Dash builds the page
