/* Opens the dialog "Draw your own"; its script and its sheet are fetched when it is opened first. */
import { closest } from "../common/dom.js";
import { show } from "../common/faults.js";
import { part } from "../common/parts.js";

async function open() {
  try {
    const modules = await part("draw");
    modules["draw/main.js"].open();
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
  }
}

document.addEventListener("click", (event) => {
  if (closest(event, "#draw-open")) open();
});
