/* The row in which a visitor without a nickname chooses one for the table of all runs. */
import { readJson } from "../common/response.js";
import { byId, replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { readChoice, storeChoice } from "./tab_state.js";
import { post } from "./lead.js";
import { text } from "./texts.js";

const MAX_LENGTH = 20; // characters, as in `runs/nicknames.py`

/** Make the row, inside the page's element for a lecture. */
export function makeNicknameRow() {
  const field = element("input", {
    id: "nickname",
    maxlength: MAX_LENGTH,
    autocomplete: "nickname",
    spellcheck: "false",
  });
  const label = element("label", { for: "nickname" }, text("name.label"));
  const save = element("button.button.primary", text("name.save"));
  const decline = button({ class: "button quiet" }, text("name.decline"));
  const message = element("span.lecture-count", { role: "status" });
  const row = element("form.lecture-row.lecture-name", { hidden: true }, label, field, save, decline, message);
  byId("lecture").append(row);

  /** @param {boolean} on */
  function offer(on) {
    row.hidden = !on;
    document.documentElement.toggleAttribute("data-nickname", on);
  }

  row.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await post("name", JSON.stringify({ name: field.value }));
    const { name, sentence } = answer ? await readJson(answer).catch(() => ({})) : {};
    if (name) offer(false);
    else replaceText(message, sentence || text(answer?.ok ? "name.empty" : "question.silent"));
  });
  decline.addEventListener("click", () => {
    storeChoice("nameless", "yes");
    offer(false);
  });
  /** @param {ClassValues} values */
  function show({ host, name, removed }) {
    const isOffered = !host && !name && !readChoice("nameless");
    if (isOffered && row.hidden) {
      field.value = "";
      replaceText(message, removed ? text("name.removed") : "");
    }
    offer(isOffered);
  }
  return { show };
}
