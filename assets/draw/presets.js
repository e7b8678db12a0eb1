/* The part of the dialog that fills the square with a shape. */
import { button, element } from "../common/elements.js";
import { MAX_CITIES } from "./codec.js";
import { makeShape } from "./shapes.js";
import { text } from "./texts.js";

const SHAPES = /** @type {const} */ (["circle", "grid", "clusters", "spiral", "letters"]);
const [CITIES, MIN_CITIES, MAX_LETTERS] = [60, 3, 12];

/**
 * Make the fields for the shape, the number of cities, and the letters.
 * @param {(drawing: Drawing) => void} take
 * @param {(sentence: string, wrong?: boolean) => void} say
 */
export function makePresets(take, say) {
  const menu = element(
    "select.form-select",
    { id: "draw-shape" },
    ...SHAPES.map((shape) => element("option", { value: shape }, text(`kind.${shape}`))),
  );
  const count = element("input", {
    ...{
      id: "draw-count",
      class: "form-control",
      type: "number",
      value: CITIES,
      min: MIN_CITIES,
      max: MAX_CITIES,
      step: 1,
    },
  });
  const words = element("input.form-control", { id: "draw-words", maxlength: MAX_LETTERS, value: "TSP" });
  const spelled = element("label", element("span", text("shape.words")), words);
  const use = button({ class: "button", id: "draw-shape-use" }, text("shape.use"), "check");
  const place = element(
    "details.more",
    element("summary", text("shape.title")),
    element(
      "div.draw-shape",
      element("label", element("span", text("shape")), menu),
      element("label", element("span", text("shape.count")), count),
      spelled,
      use,
    ),
  );

  function accept() {
    const n = Number(count.value);
    const good = Number.isInteger(n) && n >= MIN_CITIES && n <= MAX_CITIES;
    count.setAttribute("aria-invalid", String(!good));
    if (!good) return say(text("shape.range", { least: MIN_CITIES, most: MAX_CITIES }), true);
    const points = makeShape(/** @type {import("./shapes.js").Shape} */ (menu.value), n, words.value);
    if (!points.length) return say(text("shape.wordless"), true);
    take({ kind: "EUC_2D", cities: points.map((point, id) => ({ id, ...point, name: "" })) });
    say(text("shape.placed", { count: points.length }));
  }

  const show = () => {
    spelled.hidden = menu.value !== "letters";
  };
  menu.addEventListener("change", show);
  use.addEventListener("click", accept);
  show();
  return place;
}
