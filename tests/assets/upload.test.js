/* Uploads: Start waits until the server has answered, since the file replaces the run. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import "../../assets/common/upload.js";

const AREA = new Element("label", { id: "upload", class: "drop" });
const FRAME = Object.assign(new Element("div", { "data-max-bytes": "9000000" }), { dataset: {} });
const [note, start] = [
  new Element("div", { id: "upload-note" }),
  new Element("button", { id: "start", class: "start" }),
];
const others = ["instances", "waiting", "waiting-sentence"].map((id) => new Element("div", { id }));

Object.assign(FRAME.dataset, { maxBytes: "9000000", note: note.id });
AREA.closest = () => FRAME;
AREA.append = () => {};
page.document.createElement = () => ({ append() {}, addEventListener() {}, setAttribute() {} });
note.classList = { toggle: (name, on) => (note.shown = on ? name : "") };
page.elements.push(AREA, note, start, ...others);
page.document.body = { classList: { toggle() {} } };
globalThis.FileReader = class extends EventTarget {
  readAsDataURL(file) {
    this.result = `data:;base64,${file.name}`;
    this.dispatchEvent(new Event("load"));
  }
};

/** Drop a file beside all areas, and let Dash show the note. */
function drop(name) {
  const files = [{ name, size: 10, type: "" }];
  page.document.fire("drop", { target: page.document, dataTransfer: { types: ["Files"], files } });
  const shown = page.told.findLast(([id]) => id === note.id);
  note.textContent = shown[1].children;
  page.changed();
}

test("Start waits while a file is sent and read, and no longer", async () => {
  const clicked = () => page.document.fire("click", { target: start, stopPropagation() {} }).defaultPrevented;
  assert.equal(clicked(), false);
  drop("cities.csv");
  assert.deepEqual(page.told.at(-1)[1].data.filename, "cities.csv");
  assert.deepEqual([note.shown, clicked()], ["sending", true]);
  assert.equal(start.getAttribute("aria-disabled"), "true");
  note.textContent = ""; // the server's answer
  page.changed();
  assert.deepEqual([note.shown, clicked(), start.getAttribute("aria-disabled")], ["", false, null]);
});

test("a page of studies takes what was saved in its menu, and a file of cities as an instance", () => {
  const menu = Object.assign(new Element("details", { id: "recent" }), { dataset: { kind: "study" } });
  const saved = Object.assign(new Element("label", { id: "recent-upload" }), { append() {}, closest: () => FRAME });
  globalThis.fetch = async () => ({ ok: false });
  page.elements.push(menu, saved);
  drop("cities.csv");
  assert.deepEqual([menu.open, page.told.at(-1)[1].data.filename], [undefined, "cities.csv"]);
  drop("mine.tourstudy");
  assert.equal(menu.open, true);
});
