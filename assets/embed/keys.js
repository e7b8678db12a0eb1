/* Hotkeys of a standalone run, and handlers for the switches that Dash handles on the Watch page. */
import { byId, closest } from "../common/dom.js";
import { hotkeys } from "../common/hotkeys.js";
import { root } from "../common/host/root.js";
import { player, playerKeys } from "../watch/player/players.js";
import { run } from "../watch/run.js";
import { tour } from "../watch/tour/tour.js";
import { views } from "../watch/views.js";

/** @type {typeof playerKeys} */
const KEYS = { ...playerKeys, o: () => byId("show-optimal")?.click() };

/** @param {MouseEvent} event */
function chooseView(event) {
  const tab = closest(event, "button[data-view]");
  if (!tab) return;
  views.choose(tab.dataset.view || "tour");
  for (const other of root().querySelectorAll("button[data-view]"))
    other.setAttribute("aria-pressed", String(other === tab));
}

/**
 * Listen to keys and switches.
 * @param {boolean} alone whether the player gets all unused keys
 */
export function listen(alone) {
  hotkeys.listen(
    "tour",
    KEYS,
    ["player-climb", "player-move"],
    () => player,
    () => !run.id,
  );
  root().addEventListener("click", chooseView);
  byId("show-optimal")?.addEventListener("change", () => tour.showOptimal(byId("show-optimal").checked));
  if (!alone) return;
  document.addEventListener("keydown", (event) => {
    if (event.target !== document.body) return;
    const again = new KeyboardEvent("keydown", event);
    byId("stage").dispatchEvent(again);
    if (again.defaultPrevented) event.preventDefault();
  });
}
