/* The language menu in the header: reloads the page, which reopens its run. */
import { closest } from "../dom.js";

/**
 * Address of this page in a language; `assets/early/theme.js` removes the language again.
 * @param {string} language
 */
function addressIn(language) {
  const { pathname, search, hash } = window.location;
  const fields = search.slice(1).split("&");
  const remaining = fields.filter((field) => field && !field.startsWith("lang="));
  return `${pathname}?${[...remaining, `lang=${language}`].join("&")}${hash}`;
}

document.addEventListener("click", (event) => {
  const link = closest(event, ".languages a");
  if (!(link instanceof HTMLAnchorElement)) return;
  link.href = addressIn(link.hreflang); // also for a new tab
});
