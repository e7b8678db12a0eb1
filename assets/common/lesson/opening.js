/* Lessons on Watch and Race: the script of their panel is fetched once an address names a lesson. */
import { script, sheetAddress } from "../language/beside.js";
import { parsePlace } from "./place.js";

let isRequested = false;

function open() {
  if (isRequested || !parsePlace(window.location.hash)) return;
  isRequested = true;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  const address = script("lesson");
  sheet.href = sheetAddress(address);
  document.head.append(sheet);
  import(address);
}

window.addEventListener("hashchange", open);
open();
