/*
 * The drawer "How it works": beside the tour, or from below on a narrow screen. It is not modal, since the tour stays
 * visible and its player continues. Only above an open dialog is it modal, since the rest of the page cannot be reached
 * then.
 */
import { button, element } from "../common/elements.js";
import { makeClose } from "../common/sheet.js";
import { contents } from "./contents.js";
import { light } from "./pseudo.js";
import { text } from "./texts.js";

/** Position of the drawer: an algorithm by name, the list (an empty name), or a document by path. */
/** @typedef {{ kind: "algorithms" | "documents", name: string, anchor?: string }} Place */
const SCROLLING = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "];

const NARROW = matchMedia("(max-width: 1199.98px)"); // then the drawer comes from below

/** @type {Place[]} */
let places = []; // the visited pages; the last one is shown
let base = "/";
/** @type {Element | null} */
let opener = null;
/** @type {{ algorithm: string, label: string | null }} */
let step = { algorithm: "", label: null };
let reads = false; // whether a person is reading in the drawer, which then must not scroll

const title = element("h2", { id: "how-title", tabindex: -1 });
const back = button({ class: "button quiet round", "aria-label": text("back"), title: text("back") }, "", "back");
const list = button({ class: "button quiet" }, text("all"));
const closeButton = makeClose();
const head = element("div.sheet-head", back, title, list, closeButton);
const body = element("div.how-body.doc", { tabindex: 0, role: "region", "aria-labelledby": "how-title" });
const dialog = element("dialog.how", { id: "how", "aria-labelledby": "how-title" }, head, body);

const place = () => places.at(-1);

function markLines() {
  const now = place();
  const ours = now?.kind === "algorithms" && now.name !== "" && now.name === step.algorithm;
  light(body, ours ? step.label : null, !reads);
}

async function show() {
  const now = place();
  if (!now) return;
  back.hidden = places.length < 2;
  list.hidden = now.kind === "algorithms" && !now.name;
  const page = await contents(base, now.kind, now.name);
  if (now !== place()) return;
  title.textContent = page.title;
  body.replaceChildren(...page.parts);
  body.scrollTop = 0;
  page.shown(body);
  if (now.anchor) goTo(now.anchor);
  markLines();
}

/** @param {string} anchor */
function goTo(anchor) {
  const target = body.querySelector(`#${CSS.escape(anchor)}`);
  if (!target) return;
  const scroll = () => {
    body.scrollTop += target.getBoundingClientRect().top - body.getBoundingClientRect().top - 8;
  };
  scroll();
  requestAnimationFrame(scroll); // by then, visible parts have their real height
  if (target instanceof HTMLElement) {
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
}

/** @param {Place} to */
function openPlace(to) {
  places.push(to);
  return show();
}

function close() {
  if (!dialog.open) return;
  dialog.close();
}

function cleanUp() {
  delete document.body.dataset.how;
  dialog.remove();
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
}

/**
 * Open the drawer at an algorithm, or close the drawer if it already shows that algorithm.
 * @param {string} algorithm its name; empty for the list of all
 * @param {string} basePath
 * @param {Element | null} from element to focus after closing
 */
async function toggle(algorithm, basePath, from) {
  const same = place()?.kind === "algorithms" && place()?.name === algorithm;
  if (dialog.open && same) return close();
  base = basePath;
  places = [{ kind: "algorithms", name: algorithm }];
  reads = true; // the idea first, and the line of a step once the player steps
  if (!dialog.open) {
    opener = from;
    const host = [...document.querySelectorAll("dialog:modal")].pop();
    (host || document.body).append(dialog);
    if (host) dialog.showModal();
    else dialog.show();
    document.body.dataset.how = "";
    if (!host && NARROW.matches) document.getElementById("stage")?.scrollIntoView();
  }
  await show();
  title.focus({ preventScroll: true });
}

/** @param {MouseEvent} event */
function onLink(event) {
  const link = event.target instanceof Element && event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const { doc, algorithm } = link.dataset;
  const anchor = link.getAttribute("href")?.split("#")[1];
  if (algorithm) openPlace({ kind: "algorithms", name: algorithm });
  else if (doc) openPlace({ kind: "documents", name: doc, anchor });
  else if (anchor && link.getAttribute("href")?.startsWith("#")) follow(anchor);
  else return;
  event.preventDefault();
}

/**
 * Go to a heading of this page; if it is in a hidden part of the document, open the document.
 * @param {string} anchor
 */
function follow(anchor) {
  reads = true;
  const now = place();
  if (body.querySelector(`#${CSS.escape(anchor)}`)) goTo(anchor);
  else if (now?.kind === "algorithms") openPlace({ kind: "documents", name: `algorithms/${now.name}.md`, anchor });
}

back.addEventListener("click", () => {
  places.pop();
  show();
});
list.addEventListener("click", () => openPlace({ kind: "algorithms", name: "" }));
closeButton.addEventListener("click", close);
dialog.addEventListener("close", cleanUp);
body.addEventListener("click", onLink);
for (const kind of ["wheel", "touchmove", "pointerdown"])
  dialog.addEventListener(kind, () => (reads = true), { passive: true });
document.addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Node && !dialog.contains(target)) reads = false;
});
document.addEventListener("keydown", (event) => {
  if (!dialog.open) return;
  const inside = event.target instanceof Node && dialog.contains(event.target);
  const other = document.querySelector("dialog:modal");
  if (event.key === "Escape" && !event.defaultPrevented && (inside || !other)) {
    event.preventDefault();
    close();
  } else reads = inside && (reads || SCROLLING.includes(event.key));
});

export const drawer = {
  close,
  isOpen: () => dialog.open,
  /**
   * Highlight the pseudo-code line of a step while the drawer shows its algorithm.
   * @param {string} algorithm
   * @param {string | null} label
   */
  light(algorithm, label) {
    step = { algorithm, label };
    if (dialog.open) markLines();
  },
  toggle,
};
