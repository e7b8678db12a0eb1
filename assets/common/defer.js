/* Defers what the first view does not need: work until the page is idle, and large scripts until they are used. */
import { when } from "./dom.js";

const QUIET = 400; // milliseconds without input after which the page counts as quiet
let used = 0; // time of the last input

for (const kind of ["click", "pointerdown", "keydown"])
  document.addEventListener(kind, () => (used = performance.now()), { capture: true, passive: true });

/**
 * Do some work once the page is ready for it and idle.
 * @param {() => unknown} ready
 * @param {() => void} work may take a tenth of a second
 */
export function defer(ready, work) {
  const idle = window.requestIdleCallback || window.setTimeout;
  const isQuiet = () => ready() && performance.now() - used > QUIET;
  // The page may become idle only after another click; then wait again.
  const wait = () => when(isQuiet, () => idle(() => (isQuiet() ? work() : wait())));
  when(ready, () => {
    used = Math.max(used, performance.now());
    wait();
  });
}

/**
 * Run the script for which the document has a link with `data-NAME`.
 * @param {string} name
 * @returns {Promise<void>}
 */
export function script(name) {
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector(`link[data-${name}]`);
  const element = document.createElement("script");
  element.src = link?.href || "";
  return new Promise((done, failed) => {
    element.addEventListener("load", () => done());
    element.addEventListener("error", () => {
      element.remove();
      failed(new Error(`The script of ${name} could not be fetched.`));
    });
    document.head.append(element);
  });
}
