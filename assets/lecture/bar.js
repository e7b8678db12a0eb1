/* The row below the header with the state of a lecture, and the button to follow or leave it. */
import { byId, replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { text } from "./texts.js";

/**
 * State of a page in a lecture. In order: nobody leads; the page leads; it will lead once a run is open; it follows; it
 * has left; it cannot follow; the lecture has ended; the page no longer leads.
 * @typedef {"none" | "leads" | "waits" | "follows" | "left" | "away" | "over" | "stopped"} Mode
 */

/** The button's action by mode. @type {Partial<Record<Mode, string>>} */
const ACTS = {
  leads: text("stop"),
  waits: text("stop"),
  follows: text("leave"),
  left: text("follow"),
  over: text("close"),
  stopped: text("close"),
};
/** The text by mode. @type {Record<Mode, string>} */
const SAYS = {
  none: "",
  leads: text("says.leads"),
  waits: text("says.waits"),
  follows: text("says.follows"),
  left: text("says.left"),
  away: text("says.away"),
  over: text("says.over"),
  stopped: text("says.stopped"),
};

/**
 * Make the row, inside the page's element for it.
 * @param {() => void} act called when the button is pressed
 * @param {() => void} stop called when the host ends a lecture led by another page
 */
export function makeBar(act, stop) {
  const place = byId("lecture");
  const message = element("p.lecture-sentence", { role: "status" }); // never removed, so that changes are announced
  const count = element("span.lecture-count");
  const acts = button({ id: "lecture-act", class: "button" }, " ");
  const link = element("a.button", { id: "lecture-link" }, text("follow"));
  const stops = button({ id: "lecture-stop", class: "button quiet" }, text("stop.other"));
  const row = element("div.lecture-row", message, count, acts, link, stops);
  place.setAttribute("role", "region");
  place.setAttribute("aria-label", text("label"));
  place.append(row);
  acts.addEventListener("click", act);
  stops.addEventListener("click", stop);

  /**
   * @param {Mode} mode
   * @param {{ following?: number, href: string, host: boolean, why: string }} more `host`: whether this page may end a
   * lecture led by another page
   */
  function show(mode, { following, href, host, why }) {
    const words = (mode === "stopped" && why) || SAYS[mode];
    document.documentElement.dataset.lecture = mode;
    replaceText(message, words);
    replaceText(count, following === undefined ? "" : text("following", { count: following }));
    replaceText(acts.querySelector("span"), ACTS[mode] || "");
    acts.hidden = !ACTS[mode];
    link.hidden = mode !== "away";
    link.href = href;
    stops.hidden = !host;
    byId("lead")?.setAttribute("aria-pressed", String(mode === "leads" || mode === "waits"));
  }
  return { show };
}
