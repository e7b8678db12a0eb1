/* The note that says what was done, with the button that undoes it; it stays while somebody is at it. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { make } from "./elements.js";

const STAYS = { undo: 12000, said: 5000 }; // milliseconds

let timer = 0;

function hide() {
  window.clearTimeout(timer);
  byId("catalogue-toast").hidden = true;
}

function wait(milliseconds) {
  const toast = byId("catalogue-toast");
  window.clearTimeout(timer);
  timer = window.setTimeout(() => (toast.matches(":hover, :focus-within") ? wait(milliseconds) : hide()), milliseconds);
}

function show({ says, undo, href, refused }) {
  if (!says) return;
  const toast = byId("catalogue-toast");
  const parts = [make.element("span", {}, says)];
  if (undo) parts.push(make.button({ class: "link", "data-undo": undo }, "Undo"));
  if (href) parts.push(make.element("a", { class: "link", href }, "Open it"));
  parts.push(make.button({ class: "toast-close", "aria-label": "Close the note" }, "", "close"));
  toast.classList.toggle("refused", Boolean(refused));
  toast.replaceChildren(...parts);
  toast.hidden = false;
  wait(undo || refused ? STAYS.undo : STAYS.said);
}

document.addEventListener("click", ({ target }) => {
  const toast = target.closest?.("#catalogue-toast");
  if (toast && target.closest("button")) hide();
});

on("catalogue-done", show);
on("catalogue-said", show);
