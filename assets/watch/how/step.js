/*
 * The pseudo-code line of the shown step, for the drawer "How it works". The explanation names the line; without an
 * explanation, it follows from the kind of the step (`code_lines.js`).
 */
import { how } from "../../common/how/opener.js";
import { on } from "../../common/events.js";
import { explanation } from "../explain/explain.js";
import { run } from "../run.js";
import { title } from "../status/title.js";
import { codeLine } from "./code_lines.js";

/** @type {View | null} */
let view = null;

function light() {
  const { algorithm } = run.stage();
  const label = view && !view.live ? explanation().line || codeLine(algorithm, view) : null;
  how.drawer()?.light(algorithm, label);
}

on("view", (now) => {
  view = now;
  queueMicrotask(light); // the explainer may receive the view after this listener
});
on("explained", light);
on("closed", () => {
  view = null;
  light();
});
how.whenOpened(light);
how.setCurrentAlgorithm(() => run.stage().algorithm || title.algorithm() || "");
