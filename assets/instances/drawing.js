/* Opens the dialog "Draw your own"; its script and its sheet are fetched when it is opened first. */
import { script, sheetOf } from "../common/language/beside.js";
import { closest } from "../common/dom.js";
import { show } from "../common/faults.js";

/** @type {Promise<{ open: () => void }> | null} */
let fetching = null;

/** @param {string} address */
function sheet(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  document.head.append(link);
  return new Promise((done, failed) => {
    link.addEventListener("load", done);
    link.addEventListener("error", failed);
  });
}

function fetched() {
  const address = script("draw");
  fetching ||= Promise.all([import(address), sheet(sheetOf(address))]).then(
    ([modules]) => modules["draw/main.js"],
    (error) => {
      fetching = null; // the next click tries again
      throw error;
    },
  );
  return fetching;
}

async function open() {
  try {
    (await fetched()).open();
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
  }
}

document.addEventListener("click", (event) => {
  if (closest(event, "#draw-open")) open();
});
