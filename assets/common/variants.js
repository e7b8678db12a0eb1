/* The dialog that compares the variants of an algorithm; its button is in the form, which is made anew with each. */
import { setProps } from "./callbacks.js";
import { byId, when } from "./dom.js";

const dialog = () => byId("ways");
const table = () => byId("ways-table");

/** Open the table of the algorithm whose form the button is in; the server makes it then. */
function open(algorithm) {
  table().hidden = true;
  setProps("ways-algorithm", { data: algorithm });
  when(
    () => table().querySelector(`[data-algorithm="${algorithm}"]`),
    () => (table().hidden = false),
  );
  dialog().showModal();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest) return;
  const button = event.target.closest("#ways-open");
  if (button) open(button.closest("[data-algorithm]").dataset.algorithm);
  else if (event.target === dialog() || event.target.closest("#ways-close")) dialog().close();
});
