/* Lessons on Watch and Race: their panel is another script, which is fetched once an address names a lesson. */
import { script, sheetOf } from "../language/beside.js";
import { placeOf } from "./place.js";

let asked = false;

function open() {
  if (asked || !placeOf(window.location.hash)) return;
  asked = true;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  const address = script("lesson");
  sheet.href = sheetOf(address);
  document.head.append(sheet);
  import(address);
}

window.addEventListener("hashchange", open);
open();
