/* A modal dialog with a title, a close button, a scrolling body, and optionally a foot. */
import { button, element } from "./elements.js";
import { text } from "./texts.js";

const title = text("sheet.close");
export const makeClose = () => button({ class: "button quiet round", "aria-label": title, title }, "", "close");

/**
 * Make a closed sheet.
 * @param {string} id
 * @param {string} kinds additional classes
 * @param {string} heading
 * @param {(Node | string | null)[]} body
 * @param {{ foot?: Node[], stays?: () => boolean }} [more] the foot; whether a click beside the sheet leaves it open
 */
export function makeSheet(id, kinds, heading, body, { foot = [], stays = () => false } = {}) {
  const close = makeClose();
  const dialog = element(
    "dialog",
    { id, class: `sheet ${kinds}`, "aria-labelledby": `${id}-title` },
    element("div.sheet-head", element("h2", { id: `${id}-title` }, heading), close),
    element("div.sheet-body", ...body),
    foot.length ? element("div.sheet-foot", ...foot) : null,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => target === dialog && !stays() && dialog.close());

  /** Open the sheet, unless it is open. */
  function open() {
    if (!dialog.isConnected) (document.getElementById("page") || document.body).append(dialog);
    if (!dialog.open) dialog.showModal();
  }
  return { dialog, close, open };
}
