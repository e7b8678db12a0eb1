/*
 * Opens the dialog of videos and moments. Its script and sheet are fetched with its first opening, and what encodes with
 * its first video: a page loads no more of it than this.
 */
import { script, sheetOf } from "../language/beside.js";
import { colour, inTheme } from "../dom.js";

/** @type {Promise<typeof import("../../video/dialog.js")["dialog"]> | null} */
let fetching = null;

/** @param {string} address */
function sheet(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((done, failed) => {
    link.addEventListener("load", done);
    link.addEventListener("error", failed);
    document.head.append(link);
  });
}

function fetched() {
  const address = script("video");
  fetching ||= Promise.all([import(address), sheet(sheetOf(address))]).then(
    ([modules]) => modules["video/dialog.js"].dialog,
    (error) => {
      fetching = null; // the next click tries again
      throw error;
    },
  );
  return fetching;
}

/**
 * Open the dialog on what is shown.
 * @param {VideoScene} scene
 * @param {"video" | "moments"} kind of file that it begins with
 * @param {() => void} gif keeps the animation that the server draws
 */
async function openVideo(scene, kind, gif) {
  const dialog = await fetched();
  dialog.open(scene, kind, { colour, inTheme, gif });
}

export { openVideo };
