/*
 * The dialog that compares the variants of an algorithm; its button is in the form, which is rebuilt for each
 * algorithm.
 */
import { setProps } from "../callbacks.js";
import { byId, closest, when } from "../dom.js";

const dialog = () => byId("variants");
const table = () => byId("variants-table");

/**
 * Open the table for the algorithm of the button's form; the server then builds it.
 * @param {string} algorithm
 */
function open(algorithm) {
  table().hidden = true;
  setProps("variants-algorithm", { data: algorithm });
  when(
    () => table().querySelector(`[data-algorithm="${algorithm}"]`),
    () => (table().hidden = false),
  );
  dialog().showModal();
}

document.addEventListener("click", (event) => {
  const algorithm = closest(event, "#variants-open") && closest(event, "[data-algorithm]")?.dataset.algorithm;
  if (algorithm) open(algorithm);
  else if (event.target === dialog() || closest(event, "#variants-close")) dialog().close();
});
