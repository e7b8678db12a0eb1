/*
 * The page's address: passes on the part that the server reads, and stores each page's last address in this tab, for
 * links back.
 */
import { register, unchanged } from "./callbacks.js";
import { tabStorage } from "./storage.js";

const storageKey = (/** @type {string} */ path) => `last-address:${path}`;

/** When the page is left, store its query, and the position in its lesson. */
function storeAddress() {
  const { pathname, search, hash } = window.location;
  tabStorage.storeText(storageKey(pathname), search + hash);
}

/**
 * Return the query and fragment with which a page was left; empty for the current page, whose own link starts afresh.
 * @param {string} path
 */
const readStored = (path) => (path === window.location.pathname ? "" : tabStorage.readText(storageKey(path)) || "");

// Until the form is filled from an address, the page hides its default contents; `holdStart` of `form.js` ends that.
if ((window.location.search || "").length > 1) document.documentElement.dataset.address = "reading";
window.addEventListener("pagehide", storeAddress);
document.addEventListener("click", ({ target }) => {
  /** @type {HTMLAnchorElement | null} */
  const link = target instanceof Element ? target.closest("header nav a") : null;
  if (link) [link.search, link.hash = ""] = readStored(link.pathname).split("#");
});

register("address", {
  /**
   * Return whether the server must handle an address. It need not if the address names the open run, or names none
   * while none is open.
   * @param {string | undefined} search
   * @param {Record<"run" | "race" | "study", string> | null} shown
   */
  changed(search, shown) {
    const query = new URLSearchParams(search);
    const named = query.get("run") || query.get("id");
    const open = shown?.run || shown?.race || shown?.study;
    if (search === undefined || (named ? named === open : !open && search.length < 2)) return unchanged();
    return { search, at: Date.now() }; // the same address may come back later
  },
});
