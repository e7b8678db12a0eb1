/*
 * Presentation mode: the tour or the lanes fill the screen, with their length, a sentence and a thin player, in larger
 * type. If the browser refuses the full screen, the window is filled. A presenter's remote steps with page keys and
 * blanks the screen with "." or "b"; Escape leaves.
 */
import { byId, closest, setText } from "../dom.js";
import { text } from "../texts.js";
import { viewAddress } from "./view_address.js";

const SHOWN = 2000; // milliseconds for which a button says that the link was copied
const root = document.documentElement;

let whole = false; // whether the browser granted the full screen
/** @type {() => string} */
let link = () => window.location.href; // the page's function that builds the link

const isOn = () => root.dataset.present === "on";

async function fill() {
  try {
    await root.requestFullscreen();
    whole = true;
    if (!isOn()) await document.exitFullscreen(); // left before the browser was ready
  } catch {
    whole = false; // refused, as inside a frame of another page: the window is filled
  }
}

function enter() {
  root.dataset.present = "on";
  viewAddress.change({ present: "" });
  byId("stage")?.focus({ preventScroll: true });
  window.dispatchEvent(new Event("resize")); // charts have a different space
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

/** Show a black screen until a key is pressed. */
function blank() {
  root.dataset.blank = "on";
}

/**
 * Copy a text to the clipboard, even if the browser does not trust the page enough for its own API; returns whether the
 * text was copied.
 */
async function copy(/** @type {string} */ words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: words });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

async function copyLink() {
  const address = link();
  if (!(await copy(address))) {
    setText("copy-link-sentence", text("present.not-copied", { address }));
    return;
  }
  setText("copy-link-sentence", text("present.copied"));
  window.setTimeout(() => setText("copy-link-sentence", ""), SHOWN);
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

/** Keys of a presenter's remote; they reach the player only in presentation mode. */
const REMOTE = ["PageDown", "PageUp", ".", "b"];

/**
 * Return a page's keys for a presenter.
 * @template Player
 * @param {(player: Player, by: number) => unknown} step steps forward or back
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
  /** Return whether a key does nothing now because it only works in presentation mode. */
  waits: (/** @type {string} */ key) => REMOTE.includes(key) && !isOn(),
  /** Register the page's function that builds its link. */
  links(/** @type {() => string} */ make) {
    link = make;
  },
};
