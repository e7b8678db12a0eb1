/* Progress of the GPU kernels that the server compiles in the background, beside the GPU's name. */
import { byId } from "./dom.js";
import { on } from "./events.js";
import { text } from "./texts.js";

on("status", ({ kernels }) => {
  const note = byId("kernels");
  if (!note) return; // the page is not drawn yet; the server will send it again
  const going = kernels && kernels.done < kernels.of;
  note.hidden = !going;
  note.textContent = going ? text("kernels.progress", { done: kernels.done, of: kernels.of }) : "";
});
