/*
 * The drawer "How it works", fetched when first opened (`assets/common/how/opener.js`), and documents as separate pages
 * (`components/how/routes.py`).
 */
import "./drawer.js";
import { diagrams } from "./diagrams.js";
import { typeset } from "./formulas.js";

/** @type {HTMLElement | null} */
const page = document.querySelector(".doc-page");
if (page) {
  diagrams.mount(page, location.pathname.replace(/^.*\/|\.md$/g, ""));
  typeset(page);
}
