/* Opens the dialogs that make instances, "Draw your own" and "Picture", each fetched on first use. */
import { closest } from "../common/dom.js";
import { on } from "../common/events.js";
import { show } from "../common/faults.js";
import { part } from "../common/loading/parts.js";

/**
 * @param {"draw" | "picture"} name
 * @param {File} [file] dropped file
 */
async function open(name, file) {
  try {
    const modules = await part(name);
    modules[`${name}/main.js`].open(file);
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
  }
}

document.addEventListener("click", (event) => {
  if (closest(event, "#draw-open, [data-draw]")) open("draw");
  if (closest(event, "#picture-open")) open("picture");
});
on("image", (file) => open("picture", file));
