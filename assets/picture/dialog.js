/*
 * Makes cities from a picture: a person chooses or drops a file, the dialog shows it in the shades that matter, the
 * server stipples it, and the page uses the result.
 */
import { readJson } from "../common/response.js";
import { setProps } from "../common/callbacks.js";
import { basePath, colour, replaceText } from "../common/dom.js";
import { button, element } from "../common/elements.js";
import { boundingBox, padBox, placeMap } from "../common/map/map.js";
import { preparePen } from "../common/map/canvas.js";
import { makeSheet } from "../common/sheet.js";
import { instanceFrame } from "../instances/data.js";
import { shade } from "./shades.js";
import { text } from "./texts.js";

const LIMIT = 12; // maximum size of a picture in megabytes, as in `data/limits.py`
const [MIN_CITIES, MAX_CITIES, MAX_SEED] = [100, 20_000, 2 ** 53 - 1]; // as in `data/pictures/cities.py`
const KINDS = ["image/png", "image/jpeg"];

/** @type {File | null} */
let file = null;
/** @type {ImageBitmap | null} */
let image = null; // the file's contents
/** @type {{ reference: Record<string, unknown>, xy: ArrayLike<number> } | null} */
let created = null; // the cities of the picture
let working = false;

const canvas = element("canvas.picture-preview", { role: "img", "aria-label": text("preview") });
const input = element("input.visually-hidden", { type: "file", accept: KINDS.join(), id: "picture-file" });
const drop = element("label.drop", { id: "picture-drop" }, element("span", text("drop")), input);
/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
const field = (name, attributes) => element("input.form-control", { id: `picture-${name}`, ...attributes });
const cities = field("cities", { type: "number", value: 5000, min: MIN_CITIES, max: MAX_CITIES, step: 1 });
const seed = field("seed", { type: "number", value: 1, min: 0, max: MAX_SEED, step: 1 });
const contrast = element("input", {
  ...{ id: "picture-contrast", class: "slider", type: "range", min: 0.5, max: 3, step: 0.1, value: 1 },
});
const invert = element("input.form-check-input", { id: "picture-invert", type: "checkbox" });
const message = element("p.note", { role: "status", id: "picture-sentence" });
const make = button({ class: "button primary", id: "picture-make" }, text("make"), "grid");
const use = button({ class: "button", id: "picture-use", disabled: true }, text("use"), "check");
/**
 * @param {"cities" | "contrast" | "seed" | "invert"} name
 * @param {HTMLElement} control
 */
const labelled = (name, control) =>
  element("label", { class: `picture-field picture-field-${name}` }, element("span", text(`field.${name}`)), control);
const fields = element(
  "div.picture-fields",
  labelled("cities", cities),
  labelled("seed", seed),
  labelled("contrast", contrast),
  labelled("invert", invert),
);
const content = [canvas, drop, fields, element("p.note", text("hint"))];
const foot = [message, element("div", make, use)];
const sheet = makeSheet("picture", "tall picture-dialog", text("title"), content, { foot, stays: () => true });
const { dialog } = sheet;

/** @param {string} sentence */
const showSentence = (sentence) => replaceText(message, sentence);

/** Paint the picture in its shades, as large as the room allows. */
function paintImage() {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!image || !width || !height) return;
  const scale = Math.min(width / image.width, height / image.height);
  const [w, h] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  const small = element("canvas", { width: w, height: h });
  const pen = small.getContext("2d", { willReadFrequently: true });
  if (!pen) return;
  pen.fillStyle = "white";
  pen.fillRect(0, 0, w, h);
  pen.drawImage(image, 0, 0, w, h);
  const data = pen.getImageData(0, 0, w, h);
  shade(data.data, Number(contrast.value), invert.checked);
  pen.putImageData(data, 0, 0);
  preparePen(canvas, width, height).drawImage(small, (width - w) / 2, (height - h) / 2);
}

/** @param {ArrayLike<number>} xy of the cities */
function paintCities(xy) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pen = preparePen(canvas, width, height);
  const { scale, x, y } = placeMap({ box: padBox(boundingBox(xy)), ratio: 1 }, width, height);
  pen.fillStyle = colour("ink");
  const size = xy.length > 10_000 ? 1.2 : 1.8;
  for (let k = 0; k < xy.length; k += 2) pen.fillRect(x + scale * xy[k], y - scale * xy[k + 1], size, size);
}

function paint() {
  if (created) paintCities(created.xy);
  else if (image) paintImage();
  canvas.hidden = !image;
  make.disabled = working || !file;
  use.disabled = working || !created;
}

/** Handle a change to the picture or a field, which makes the result outdated. */
function change() {
  created = null;
  showSentence(file ? "" : text("empty"));
  canvas.hidden = !image; // a hidden canvas has no size
  paint();
}

/** @param {File} chosen */
async function usePicture(chosen) {
  [file, image] = [null, null];
  let sentence = "";
  if (!KINDS.includes(chosen.type)) sentence = text("kind");
  else if (chosen.size > LIMIT * 1e6) sentence = text("too-large", { limit: LIMIT });
  else {
    image = await createImageBitmap(chosen).catch(() => null);
    if (image) file = chosen;
    else sentence = text("damaged");
  }
  change();
  if (sentence) showSentence(sentence);
}

/** Return the error in the fields; empty if all are valid. */
function findFault() {
  let sentence = "";
  for (const [control, message] of /** @type {const} */ ([
    [cities, text("cities.range", { least: MIN_CITIES, most: MAX_CITIES })],
    [seed, text("seed.range", { most: MAX_SEED })],
  ])) {
    const value = Number(control.value);
    const good =
      control.value !== "" && Number.isInteger(value) && value >= Number(control.min) && value <= Number(control.max);
    control.setAttribute("aria-invalid", String(!good));
    if (!good) sentence ||= message;
  }
  return sentence;
}

/**
 * Have the server turn a picture into cities; returns the cities, or why that failed.
 * @param {File} body
 * @returns {Promise<{ reference: Record<string, unknown>, xy: ArrayLike<number> } | { sentence: string }>}
 */
async function makeCities(body) {
  const wishes = {
    cities: cities.value,
    contrast: contrast.value,
    seed: seed.value,
    invert: invert.checked ? "1" : "0",
  };
  const query = new URLSearchParams({ ...wishes, name: body.name });
  const answer = await fetch(`${basePath()}pictures?${query}`, { method: "POST", body }).catch(() => null);
  const values = answer ? await readJson(answer).catch(() => ({})) : { sentence: text("silent") };
  if (!values.reference) return { sentence: values.sentence || text("refused") };
  const frame = await instanceFrame(values.reference);
  return frame ? { reference: values.reference, xy: frame.arrays.display } : { sentence: text("silent") };
}

async function stipple() {
  const wrong = findFault();
  if (!file || wrong) return showSentence(wrong || text("empty"));
  working = true;
  showSentence(text("making"));
  paint();
  const result = await makeCities(file);
  working = false;
  created = "sentence" in result ? null : result;
  showSentence("sentence" in result ? result.sentence : text("made", { count: result.xy.length / 2 }));
  paint();
  if (created) use.focus();
}

function choose() {
  if (!created) return;
  dialog.close();
  setProps("choice", { data: { value: JSON.stringify(created.reference), at: Date.now() } });
}

/** Open the dialog, optionally with a dropped picture. @param {File} [dropped] */
function open(dropped) {
  sheet.open();
  if (dropped) usePicture(dropped);
  else change();
}

input.addEventListener("change", () => {
  if (input.files?.[0]) usePicture(input.files[0]);
  input.value = ""; // so that a person can choose the same file again
});
dialog.addEventListener("drop", (event) => {
  const [dropped] = event.dataTransfer?.files || [];
  if (!dropped) return;
  event.preventDefault();
  event.stopPropagation(); // otherwise the page behind would handle it as well
  document.body.classList.remove("dropping");
  usePicture(dropped);
});
for (const control of [cities, seed, contrast, invert]) control.addEventListener("input", () => !working && change());
make.addEventListener("click", stipple);
use.addEventListener("click", choose);
new ResizeObserver(paint).observe(canvas);

export const picture = { open };
