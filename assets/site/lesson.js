/* A lesson: its panel as on Watch, with runs that the page itself solves. */
import { hotkeys } from "../common/hotkeys.js";
import { parsePlace } from "../common/lesson/place.js";
import { panel } from "../lesson/panel.js";
import { data } from "./data.js";
import { lessonRun } from "./run.js";

/** Show the step in the address. */
const follow = () => panel.open(data.lesson, parsePlace(window.location.hash)?.step ?? 0);

if (data.page === "lesson") {
  const work = { n: () => panel.on(), b: () => panel.back() };
  hotkeys.listen("lesson", work, [], () => panel);
  window.addEventListener("hashchange", follow);
  lessonRun.prepare();
  follow();
}
