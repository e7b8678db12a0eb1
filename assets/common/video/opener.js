/*
 * Opens the dialog of videos and moments. Its script and style sheet are fetched on first use, the encoder with the
 * first video; a page loads only this file.
 */
import { colour, inTheme } from "../dom.js";
import { part } from "../loading/parts.js";

/**
 * Open the dialog for the current view.
 * @param {VideoScene} scene
 * @param {"video" | "moments"} kind initial file type
 * @param {() => void} gif saves the animation drawn by the server
 * @param {VideoOffer[]} [others] other scenes for a video
 */
export async function openVideo(scene, kind, gif, others = []) {
  const modules = await part("video");
  /** @type {typeof import("../../video/dialog.js")["dialog"]} */
  const { open } = modules["video/dialog.js"].dialog;
  open(scene, kind, { colour, inTheme, gif, others });
}
