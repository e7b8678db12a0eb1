/*
 * Present: the tour or the lanes fill the screen, with their length, one sentence and a thin player, in larger type. Where
 * the browser refuses the full screen, the window is filled. A presenter's remote steps by page keys and blanks by "." or
 * "b"; Escape leaves.
 */
import { byId, closest, setText } from "../dom.js";
import { text } from "../texts.js";
import { viewAddress } from "./view_address.js";

const SHOWN = 2000; // milliseconds that a button says that the link was copied
const root = document.documentElement;

let whole = false; // whether the browser gave the whole screen
/** @type {() => string} */
let link = () => window.location.href; // the page's function that makes the link

const isOn = () => root.dataset.present === "on";

async function fill() {
  try {
    await root.requestFullscreen();
    whole = true;
    if (!isOn()) await document.exitFullscreen(); // left before the browser was ready
  } catch {
    whole = false; // refused, as within the frame of another page: the window is filled
  }
}

function enter() {
  root.dataset.present = "on";
  viewAddress.change({ present: "" });
  byId("stage")?.focus({ preventScroll: true });
  window.dispatchEvent(new Event("resize")); // charts have another room
  fill();
}

function leave() {
  if (!isOn()) return;
  delete root.dataset.present;
  delete root.dataset.blank;
  viewAddress.change({ present: null });
  if (document.fullscreenElement) document.exitFullscreen();
  whole = false;
  byId("present")?.focus({ preventScroll: true });
}

/** A black screen, until any key. */
function blank() {
  root.dataset.blank = "on";
}

/** Put a text on the clipboard, also where the browser trusts the page too little for its own way. */
async function copy(/** @type {string} */ words) {
  if (navigator.clipboard) return navigator.clipboard.writeText(words);
  const field = Object.assign(document.createElement("textarea"), { value: words });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

async function copyLink() {
  await copy(link());
  setText("copy-link-says", text("present.copied"));
  window.setTimeout(() => setText("copy-link-says", ""), SHOWN);
}

/** @type {Record<string, () => unknown>} */
const CLICKS = { present: enter, "present-leave": leave, "copy-link": copyLink };

document.addEventListener("click", (event) => {
  const button = closest(event, "button");
  if (button && Object.hasOwn(CLICKS, button.id)) CLICKS[button.id]();
  else if (root.dataset.blank) delete root.dataset.blank;
});
document.addEventListener(
  "keydown",
  (event) => {
    if (root.dataset.blank) {
      delete root.dataset.blank;
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Escape" && isOn() && !document.querySelector("dialog[open]")) leave();
  },
  { capture: true },
);
document.addEventListener("fullscreenchange", () => {
  if (whole && !document.fullscreenElement) leave();
});

/** Keys of a presenter's remote, which reach the player only while something is presented. */
const REMOTE = ["PageDown", "PageUp", ".", "b"];

/**
 * The keys of a presenter on a page.
 * @template Player
 * @param {(player: Player, by: number) => unknown} step one further or back
 * @returns {Record<string, (player: Player) => unknown>}
 */
const keys = (step) => ({
  p: () => (isOn() ? leave() : enter()),
  PageDown: (player) => step(player, 1),
  PageUp: (player) => step(player, -1),
  ".": blank,
  b: blank,
});

export const present = {
  isOn,
  copy,
  keys,
  /** Whether a key works only while something is presented. */
  waits: (/** @type {string} */ key) => REMOTE.includes(key) && !isOn(),
  /** Register the page's function that makes its link. */
  links(/** @type {() => string} */ make) {
    link = make;
  },
};
