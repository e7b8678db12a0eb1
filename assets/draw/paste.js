/* Cities from a table that is pasted, into its field or anywhere else in the dialog. */
import { button, element } from "../common/elements.js";
import { MOST } from "./codec.js";
import { read, Unreadable } from "./table.js";
import { text } from "./texts.js";

/**
 * The field for a table, and a function that takes what is pasted elsewhere.
 * @param {(drawing: Drawing) => void} take
 * @param {(sentence: string) => void} say
 */
function makePaste(take, say) {
  const field = element("textarea", {
    id: "draw-table",
    class: "form-control",
    rows: 4,
    placeholder: text("table.example"),
  });
  const use = button({ class: "button" }, text("table.use"), "check");
  const place = element(
    "details",
    { class: "more" },
    element("summary", {}, text("table.title")),
    element("label", { class: "note", for: "draw-table" }, text("table.what", { most: MOST })),
    field,
    use,
  );

  /** @param {string} table */
  function accept(table) {
    try {
      const { drawing, factor, plane } = read(table);
      place.open = false;
      take(drawing);
      const count = drawing.cities.length;
      const taken = factor > 1 ? text("table.scaled", { count, factor }) : text("table.taken", { count });
      say(plane ? text("table.globe", { taken, plane }) : taken);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      say(text(`table.wrong.${error.key}`, { line: error.line }));
    }
  }

  use.addEventListener("click", () => accept(field.value));
  return { place, accept };
}

export { makePaste };
