/* The language menu in the header: reloads the page, which reopens its run. */
import { clicked } from "../dom.js";

/**
 * Return the address of this page in a language; `assets/early/theme.js` removes the language again.
 * @param {string} language
 */
function addressIn(language) {
  const { pathname, search, hash } = window.location;
  const fields = search.slice(1).split("&");
  const remaining = fields.filter((field) => field && !field.startsWith("lang="));
  return `${pathname}?${[...remaining, `lang=${language}`].join("&")}${hash}`;
}

clicked(".languages a", (/** @type {HTMLAnchorElement} */ link) => {
  link.href = addressIn(link.hreflang); // also for a new tab
});
