/* The message about the last action, with an undo button. It stays while the pointer or the focus is on it. */
import { byId, clicked } from "../common/dom.js";
import { on } from "../common/events.js";
import { button, element } from "../common/elements.js";
import { text } from "./texts.js";

const STAYS = { undo: 12000, said: 5000 }; // milliseconds

let timer = 0;

function hide() {
  window.clearTimeout(timer);
  byId("library-toast").hidden = true;
}

/** @param {number} milliseconds */
function wait(milliseconds) {
  const toast = byId("library-toast");
  window.clearTimeout(timer);
  timer = window.setTimeout(() => (toast.matches(":hover, :focus-within") ? wait(milliseconds) : hide()), milliseconds);
}

/** @param {{says: string, undo?: string, href?: string, refused?: boolean}} what */
function show({ says, undo, href, refused = false }) {
  if (!says) return;
  const toast = byId("library-toast");
  toast.classList.toggle("refused", refused);
  toast.replaceChildren(
    element("span", says),
    undo ? button({ class: "link", "data-undo": undo }, text("undo")) : "",
    href ? element("a.link", { href }, text("toast.open")) : "",
    button({ class: "toast-close", "aria-label": text("toast.close") }, "", "close"),
  );
  toast.hidden = false;
  wait(undo || refused ? STAYS.undo : STAYS.said);
}

clicked("#library-toast button", hide);

on(["library-done", "library-said"], show);
