/* Opens the dialogs that make instances, "Draw your own" and "Picture", each fetched on first use. */
import { clicked } from "../common/dom.js";
import { on } from "../common/events.js";
import { withPart } from "../common/loading/with_part.js";

/**
 * @param {"draw" | "picture"} name
 * @param {File} [file] dropped file
 */
const open = (name, file) => withPart(name, (modules) => modules[`${name}/main.js`].open(file));

clicked("#draw-open, [data-draw]", () => open("draw"));
clicked("#picture-open", () => open("picture"));
on("image", (file) => open("picture", file));
