/* A diagram: an SVG that plays its frames once when it is visible, with controls. */
import { button, element } from "../common/elements.js";
import { makeShape } from "../common/svg.js";
import { text } from "./texts.js";

const PACE = 600; // milliseconds

/**
 * @param {Scene} scene
 * @param {string} label
 */
export function diagram(scene, label) {
  const svg = makeShape("svg", { viewBox: `0 0 ${scene.width} ${scene.height}`, role: "img", "aria-label": label });
  const play = button({ class: "button quiet" }, text("diagram.play"), "play");
  const next = button({ class: "button quiet" }, text("diagram.step"), "step");
  const note = element("span.diagram-sentence");
  const controls = element("div.diagram-controls", play, next, note);
  const figure = element("figure.diagram", svg, controls);
  let frame = 0;
  let timer = 0;

  function draw() {
    svg.replaceChildren(
      ...scene.draw(frame).map(([name, attributes, words = ""]) => makeShape(name, attributes, words)),
    );
    note.textContent = scene.say?.(frame) || "";
  }
  /** @param {boolean} playing */
  function name(playing) {
    play.lastChild?.replaceWith(element("span", text(playing ? "diagram.pause" : "diagram.play")));
    play.firstElementChild?.setAttribute("class", `icon icon-${playing ? "pause" : "play"}`);
  }
  function stop() {
    window.clearInterval(timer);
    timer = 0;
    name(false);
  }
  function advance() {
    frame = (frame + 1) % scene.frames;
    draw();
    if (frame === scene.frames - 1) stop();
  }
  function start() {
    if (timer) return;
    if (frame === scene.frames - 1) frame = -1;
    timer = window.setInterval(advance, scene.pace || PACE);
    name(true);
    if (frame < 0) advance();
  }

  play.addEventListener("click", () => (timer ? stop() : start()));
  next.addEventListener("click", () => {
    stop();
    advance();
  });
  draw();
  // If reduced motion is preferred, the reader starts the diagram. Otherwise it plays once when visible, and pauses
  // when hidden.
  let hasStarted = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const watcher = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return stop();
    if (!hasStarted) start();
    hasStarted = true;
  });
  watcher.observe(svg);
  return {
    figure,
    stop() {
      watcher.disconnect();
      stop();
    },
  };
}
