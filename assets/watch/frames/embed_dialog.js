/*
 * Embedding a run: as a file that plays by itself, or, if the server lets other sites frame its runs, as a frame of the
 * server's page.
 */
import { basePath, byId } from "../../common/dom.js";
import { button, element } from "../../common/elements.js";
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
 * Let a person choose between saves the file and a frame; if frames are not allowed, the file is saved at once.
 * @param {string} id of the run
 * @param {() => void} keep the file
 */
function offerEmbedding(id, keep) {
  if (!byId("page")?.dataset.frames) return keep();
  const code = element("textarea", { class: "frame-code", rows: 4, readonly: true, "aria-label": text("frame.label") });
  code.value = makeFrame(id);
  const shut = button({ class: "button quiet round", "aria-label": text("frame.close") }, "", "close");
  const file = button({ class: "button primary" }, text("frame.file"));
  const title = element("h2", { id: "frame-title" }, text("frame.title"));
  const dialog = element(
    "dialog",
    { class: "sheet frame-dialog", "aria-labelledby": "frame-title" },
    element("div", { class: "sheet-head" }, title, shut),
    element(
      "div",
      { class: "sheet-body" },
      element("p", {}, text("frame.file.says")),
      file,
      element("p", {}, text("frame.says")),
      code,
    ),
  );
  shut.addEventListener("click", () => dialog.close());
  file.addEventListener("click", keep);
  code.addEventListener("focus", () => code.select());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

export { offerEmbedding };
