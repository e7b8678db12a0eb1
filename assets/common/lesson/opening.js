/* Lessons on Watch and Race: their panel is another script, which is fetched once an address names a lesson. */
import { placeOf } from "./place.js";

let asked = false;

function open() {
  if (asked || !placeOf(window.location.hash)) return;
  asked = true;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("lesson.css", import.meta.url).href; // beside the page's own script
  document.head.append(sheet);
  import(new URL("lesson.js", import.meta.url).href);
}

window.addEventListener("hashchange", open);
open();
