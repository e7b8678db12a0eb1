/* Cities from a table that is pasted into its field or anywhere else in the dialog. */
import { replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { MAX_CITIES } from "./codec.js";
import { read, Unreadable } from "./table.js";
import { text } from "./texts.js";

/**
 * Make the field for a table, and a function that handles tables pasted elsewhere.
 * @param {(drawing: Drawing) => void} take
 * @param {(sentence: string, wrong?: boolean) => void} say
 */
export function makePaste(take, say) {
  const field = element("textarea.form-control", {
    id: "draw-table",
    rows: 4,
    "aria-describedby": "draw-wrong",
    placeholder: text("table.example"),
  });
  const use = button({ class: "button" }, text("table.use"), "check");
  const asPlane = button({ class: "button", id: "draw-plane", hidden: true }, text("table.plane"));
  const wrong = element("p.note.refusal.draw-wrong", { id: "draw-wrong", role: "alert" });
  const place = element(
    "details.more",
    element("summary", text("table.title")),
    element("label.note", { for: "draw-table" }, text("table.what", { most: MAX_CITIES })),
    field,
    element("div.draw-tools", use, wrong),
  );

  /** Show the error of the field's table beside its button. @param {string} sentence */
  function showError(sentence) {
    replaceText(wrong, sentence);
    field.setAttribute("aria-invalid", String(Boolean(sentence)));
  }

  /**
   * @param {string} table
   * @param {(sentence: string) => void} refuse
   * @param {boolean} [plane]
   */
  function accept(table, refuse, plane = false) {
    try {
      const { drawing, factor, guessed } = read(table, plane);
      place.open = false;
      showError("");
      take(drawing);
      const count = drawing.cities.length;
      const summary = factor > 1 ? text("table.scaled", { count, factor }) : text("table.taken", { count });
      say(guessed ? text("table.globe", { taken: summary }) : summary);
      asPlane.hidden = !guessed;
      asPlane.onclick = () => accept(table, refuse, true);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      refuse(text(`table.wrong.${error.key}`, { line: error.line }));
    }
  }

  use.addEventListener("click", () => accept(field.value, showError));
  field.addEventListener("input", () => showError(""));
  return { place, asPlane, accept: (/** @type {string} */ table) => accept(table, (sentence) => say(sentence, true)) };
}
