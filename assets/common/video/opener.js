/*
 * Opens the dialog of videos and moments. Its script and sheet are fetched with its first opening, and what encodes with
 * its first video: a page loads no more of it than this.
 */
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
  const beside = (/** @type {string} */ name) => new URL(name, import.meta.url).href; // the page's own script
  fetching ||= Promise.all([import(beside("video.js")), sheet(beside("video.css"))]).then(
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
 * @param {VideoOffer[]} [others] what else there may be a video of
 */
async function openVideo(scene, kind, gif, others = []) {
  const dialog = await fetched();
  dialog.open(scene, kind, { colour, inTheme, gif, others });
}

export { openVideo };
