/*
 * Embedding a run: as a file that plays by itself, or, if the server lets other sites frame its runs, as a frame of the
 * server's page.
 */
import { basePath, byId } from "../../common/dom.js";
import { button, element } from "../../common/elements.js";
import { makeSheet } from "../../common/sheet.js";
import { text } from "../texts.js";

/**
 * Make the HTML of a frame that shows a run of this server.
 * @param {string} id of the run
 */
function makeFrame(id) {
  const src = `${window.location.origin}${basePath()}runs/${id}/embed`;
  const attributes = {
    src,
    title: "TourScope",
    width: 900,
    height: 680,
    frameborder: 0,
    loading: "lazy",
    sandbox: "allow-scripts",
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
  return `<iframe ${written.join(" ")}></iframe>`;
}

/**
 * Let a person choose between saving the file and a frame; if frames are not allowed, the file is saved at once.
 * @param {string} id of the run
 * @param {() => void} keep saves the file
 */
export function offerEmbedding(id, keep) {
  if (!byId("page")?.dataset.frames) return keep();
  const code = element("textarea.frame-code", { rows: 4, readonly: true, "aria-label": text("frame.label") });
  code.value = makeFrame(id);
  const file = button({ class: "button primary" }, text("frame.file"));
  const content = [element("p", text("frame.file.says")), file, element("p", text("frame.says")), code];
  const { dialog, open } = makeSheet("frame", "frame-dialog", text("frame.title"), content, { stays: () => true });
  file.addEventListener("click", keep);
  code.addEventListener("focus", () => code.select());
  dialog.addEventListener("close", () => dialog.remove());
  open();
}
