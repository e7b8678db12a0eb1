/* Measurements on this machine: requests to the server, their progress, and their results below an entry. */
import { clicked, replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { note } from "../common/faults.js";
import { format } from "../common/format.js";
import { text } from "./texts.js";

const POLL = 1000; // milliseconds between two requests during a measurement

/** @type {Record<string, PaperJob>} */
let jobs = {};
/** @type {(name: string) => void} */
let measured = () => {};
let timer = 0;

/** @param {string} name */
const findPlace = (name) => document.querySelector(`.entry-measure[data-entry="${CSS.escape(name)}"]`);

/** @param {PaperJob | undefined} job */
const active = (job) => Boolean(job && job.state !== "failed");

/** @param {number} seconds integer */
const formatElapsed = (seconds) => (seconds < 60 ? text("job.elapsed", { seconds }) : format.seconds(seconds));

/** @param {PaperJob} job */
function describeJob(job) {
  if (job.state === "failed") return job.sentence;
  if (job.state === "queued") return text("job.queued", { count: job.before });
  if (job.state === "waiting") return text("job.waiting");
  return text(job.quick ? "job.measuring.quick" : "job.measuring");
}

/**
 * Return the buttons below an entry.
 * @param {PaperEntry} entry
 * @param {PaperJob | undefined} job
 */
function buttons({ title, here }, job) {
  if (job && active(job)) {
    if (!job.own) return [];
    const cancel = {
      class: "button quiet",
      "data-do": "cancel",
      "aria-label": text("measure.cancel.title", { title }),
    };
    return [button(cancel, text("measure.cancel"), "stop")];
  }
  if (here.reason) return [];
  const whole = { class: "button quiet", "data-do": "measure", title: text("measure.title", { title }) };
  const short = { class: "button quiet", "data-do": "quick", title: text("measure.quick.title", { title }) };
  return [
    button(whole, text(here.measured ? "measure.again" : "measure"), "clock"),
    here.full ? null : button(short, text("measure.quick")),
    job ? button({ class: "button quiet", "data-do": "cancel" }, text("measure.dismiss")) : null,
  ];
}

/**
 * Return the part below an entry for measurements: the state in words, the time since the start, and the buttons.
 * @param {PaperEntry} entry
 */
function part(entry) {
  const place = element("div.entry-measure", { "data-entry": entry.name });
  place.append(element("div.measure-buttons"), element("span.elapsed"), element("div.note", { role: "status" }));
  fill(place, entry);
  return place;
}

/** @type {WeakMap<Element, PaperEntry>} */
const entries = new WeakMap();

/**
 * @param {Element} place
 * @param {PaperEntry} entry
 * @param {string} [done] message on the last action, in place of the state
 */
function fill(place, entry, done = "") {
  entries.set(place, entry);
  const job = jobs[entry.name];
  const [row, elapsed, status] = place.children;
  const state = `${job ? job.state : "none"} ${!job || job.own} ${entry.here.measured} ${entry.here.full}`;
  if (place.getAttribute("data-state") !== state) {
    const hadFocus = row.contains(document.activeElement);
    place.setAttribute("data-state", state);
    row.replaceChildren(...buttons(entry, job).filter((button) => button !== null));
    if (hadFocus) row.querySelector("button")?.focus();
  }
  replaceText(elapsed, job?.state === "measuring" ? formatElapsed(Math.floor(job.seconds)) : "");
  const idle = entry.here.reason || (entry.here.measured ? done : text("entry.not-measured"));
  const others = job && active(job) && !job.own ? ` ${text("job.others")}` : "";
  replaceText(status, job ? describeJob(job) + others : idle);
  status.classList.toggle("refusal", job?.state === "failed");
}

/**
 * Accept the server's response; an entry whose measurement has ended is redrawn with its result.
 * @param {Record<string, PaperJob>} now
 * @param {string} [cancelled] entry that a person just cancelled
 */
function setJobs(now, cancelled = "") {
  const done = Object.keys(jobs).filter((name) => active(jobs[name]) && !now[name] && name !== cancelled);
  jobs = now;
  for (const place of document.querySelectorAll(".entry-measure")) {
    const entry = entries.get(place);
    if (entry && !done.includes(entry.name)) fill(place, entry);
  }
  done.forEach((name) => measured(name));
  window.clearTimeout(timer);
  if (Object.values(now).some(active)) timer = window.setTimeout(look, POLL);
}

/** Request the progress of measurements, and retry if the server does not respond. */
async function look() {
  window.clearTimeout(timer);
  const answer = await fetch("jobs").catch(() => null);
  if (answer?.ok) setJobs(await answer.json());
  else timer = window.setTimeout(look, 5 * POLL);
}

/**
 * @param {string} entry
 * @param {string} what "measure", "quick" or "cancel"
 */
async function act(entry, what) {
  const answer = await fetch("jobs", { method: "POST", body: JSON.stringify({ entry, do: what }) }).catch(() => null);
  if (!answer) return;
  await note(answer, entry);
  if (answer.ok) setJobs(await answer.json(), what === "cancel" ? entry : "");
}

clicked(".entry-measure button[data-do]", (pressed) => {
  const name = pressed.closest("[data-entry]")?.getAttribute("data-entry");
  if (name) act(name, pressed.dataset.do || "");
});

/** @param {(name: string) => void} listener called with an entry whose measurement has ended */
const listen = (listener) => {
  measured = listener;
};

export const measuring = { part, fill, findPlace, look, listen };
