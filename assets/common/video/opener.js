/*
 * Opens the dialog of videos and moments. Its script and sheet are fetched when it first opens, the encoder with the
 * first video; a page loads only this file.
 */
import { colour, inTheme } from "../dom.js";
import { part } from "../loading/parts.js";

/**
 * Open the dialog on what is shown.
 * @param {VideoScene} scene
 * @param {"video" | "moments"} kind of file that it begins with
 * @param {() => void} gif keeps the animation that the server draws
 * @param {VideoOffer[]} [others] what else there may be a video of
 */
async function openVideo(scene, kind, gif, others = []) {
  const modules = await part("video");
  /** @type {typeof import("../../video/dialog.js")["dialog"]} */
  const { open } = modules["video/dialog.js"].dialog;
  open(scene, kind, { colour, inTheme, gif, others });
}

export { openVideo };
