/* The last address of each page in this tab, to which the header's links go back. */
const keyOf = (/** @type {string} */ path) => `last-address:${path}`;

/** Keep the query of the page that is left. */
function keep() {
  const { pathname, search } = window.location;
  try {
    window.sessionStorage.setItem(keyOf(pathname), search);
  } catch {
    // storage is denied or full: the link will open the page as a first visitor sees it
  }
}

/**
 * The query with which a page was left; none for the page that is shown, whose own link begins anew.
 * @param {string} path
 */
function kept(path) {
  if (path === window.location.pathname) return "";
  try {
    return window.sessionStorage.getItem(keyOf(path)) || "";
  } catch {
    return "";
  }
}

window.addEventListener("pagehide", keep);
document.addEventListener("click", ({ target }) => {
  /** @type {HTMLAnchorElement | null} */
  const link = target instanceof Element ? target.closest("header nav a") : null;
  if (link) link.search = kept(link.pathname);
});
