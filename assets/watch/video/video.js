/* Saves the shown view as a video, or as moments on one sheet: chooses the scene and its name. */
import { show } from "../../common/faults.js";
import { openVideo } from "../../common/video/opener.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { views } from "../views.js";
import { climbScene } from "./climb_scene.js";
import { fieldScene } from "./field_scene.js";

/**
 * Make the scene of the shown view: a colony's pheromone over the iterations, else a climb.
 * @param {number} climber of the player
 * @param {string} head
 * @param {(...parts: string[]) => string} fileName names a file
 */
function makeScene(climber, head, fileName) {
  const view = views.shown();
  if (view === "pheromone" || view === "trails") return fieldScene(view, { name: fileName(view), head });
  return climbScene(climber, { name: fileName("climb", String(run.number(climber))), head });
}

/**
 * Return the available scenes: the current view, as for pictures and GIFs, then the climb with the best tour, since the
 * player may show another climb.
 * @param {number} climber of the player
 * @param {string} head
 * @param {(...parts: string[]) => string} fileName
 * @returns {VideoOffer[]}
 */
function listOffers(climber, head, fileName) {
  const { best } = run;
  const view = views.shown();
  const { iteration: unit } = run.units();
  const current = {
    title: text("video.shown", { unit, number: run.number(climber) }),
    make: async () => makeScene(climber, head, fileName),
  };
  if (!best || best.climber === climber || view === "pheromone" || view === "trails") return [current];
  const number = run.number(best.climber);
  const name = fileName("climb", String(number));
  const title = text("video.best-of", { unit, number });
  return [current, { title, make: () => climbScene(best.climber, { name, head }) }];
}

/**
 * Open the dialog for the shown view.
 * @param {"video" | "moments"} kind
 * @param {number} climber of the player
 * @param {(...parts: string[]) => string} fileName names a file
 * @param {() => void} gif
 */
export async function saveVideo(kind, climber, fileName, gif) {
  const head = [run.instance?.name || "", run.units().title].filter(Boolean).join(" \u00b7 ");
  const [first, ...others] = listOffers(climber, head, fileName);
  const scene = await first.make();
  if (!scene) show(text("video.none"));
  else await openVideo(others.length ? { ...scene, title: first.title } : scene, kind, gif, others);
}
