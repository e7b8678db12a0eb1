/* Real places in the dialog of instances: the largest cities of a region. */
import { readProp } from "../common/callbacks.js";
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { makePreview } from "./preview.js";
import { text } from "./texts.js";

const preview = makePreview(
  "places",
  (_, place) => place.dataset.what,
  (isWrong) => byId("places-n").setAttribute("aria-invalid", String(isWrong)),
);

/**
 * Show the largest cities of a region after a change.
 * @param {string} region
 * @param {number} n
 */
function show(region, n) {
  const good = Number.isInteger(n) && n >= 1;
  preview({ places: region, n }, good ? "" : text("places.range.n", { min: 1 }));
}

on("instances", () => show(readProp("places-region", "value"), readProp("places-n", "value")));
export const places = { show };
