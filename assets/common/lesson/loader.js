/* Lessons on Watch and Race: the script of their panel is fetched once an address names a lesson. */
import { scriptAddress, sheetAddress } from "../language/addresses.js";
import { parsePlace } from "./place.js";

let isRequested = false;

function open() {
  if (isRequested || !parsePlace(window.location.hash)) return;
  isRequested = true;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  const address = scriptAddress("lesson");
  sheet.href = sheetAddress(address);
  document.head.append(sheet);
  import(address);
}

window.addEventListener("hashchange", open);
open();
