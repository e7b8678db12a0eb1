/* The dialog that makes videos and sheets of moments: options, progress, and Cancel. */
import { format as numbers } from "../common/format.js";
import { button, element } from "../common/elements.js";
import { download } from "../common/saving/download.js";
import { makeSheet } from "../common/sheet.js";
import { codecFor, encode, hasEncoder } from "./encoder.js";
import { makePainter, SIZES, typeface } from "./frame.js";
import { saveMoments } from "./moments.js";
import { storeOptions, loadOptions, NAMES, OF, VALUES } from "./options.js";
import { text } from "./texts.js";
import { timeline } from "./timeline.js";

/** @typedef {import("./options.js").Options} Options */
/** @typedef {import("./options.js").Format} Format */
/** @typedef {{ scene: VideoScene, page: VideoPage }} Shown */

const MID = 0.6; // share of the video whose picture the dialog shows before there is a video
const PREVIEW = { width: 640, height: 360, scale: 1 }; // the preview is laid out in the pixels of this size

/** @type {Shown | null} */
let visible = null;
/** @type {AbortController | null} */
let working = null; // aborts the video in progress
/** @type {VideoOffer[]} */
let offers = []; // the available scenes, the current view first
let previewCount = 0; // counts previews: only the last one is shown

/** @type {Record<string, HTMLSelectElement>} */
const menus = Object.fromEntries(
  NAMES.map((name) => [name, element("select.form-select", { id: `video-${name}`, "data-video": name })]),
);
const fields = NAMES.map((name) => element("label.video-field", element("span", text(`field.${name}`)), menus[name]));
const whats = element("select.form-select", { id: "video-what" });
const what = element("label.video-field.what", element("span", text("field.what")), whats);
const preview = element("canvas.video-preview", { role: "img", "aria-labelledby": "video-of", ...PREVIEW });
const of = element("p.note", { id: "video-of" });
const note = element("p.note", { id: "video-note" });
const bar = element("progress", {
  id: "video-progress",
  max: 1,
  value: 0,
  hidden: true,
  "aria-label": text("progress"),
});
const message = element("p.note", { id: "video-sentence", role: "status" });
const make = button({ id: "video-make", class: "button primary" }, text("make"));
const cancel = button({ id: "video-cancel", class: "button", hidden: true }, text("cancel"));
const actions = element("div.video-actions", make, cancel);
const content = [preview, of, element("div.video-fields", what, ...fields), note, bar, message, actions];
const sheet = makeSheet("video", "video-dialog", text("title"), content, { stays: () => working !== null });
const { dialog } = sheet;

/** @returns {Options} */
const options = () => /** @type {Options} */ (Object.fromEntries(NAMES.map((name) => [name, menus[name].value])));

/** @param {string} chosen */
const chosenTheme = (chosen) => (chosen === "page" ? document.documentElement.dataset.bsTheme || "light" : chosen);

/**
 * Return the label of a choice.
 * @param {keyof Options} name
 * @param {string} value
 */
function labelChoice(name, value) {
  if (name === "seconds") return text("seconds", { seconds: Number(value) });
  if (name === "fps") return text("fps", { fps: Number(value) });
  if (name === "moments") return text("moments", { moments: Number(value) });
  if (name === "size") return text(`size.${/** @type {"1280x720"} */ (value)}`);
  if (name === "theme") return text(`theme.${/** @type {"page"} */ (value)}`);
  return text(`format.${/** @type {Format} */ (value)}`);
}

/**
 * Offer only the formats that this browser can produce from the scene.
 * @param {Set<Format>} formats
 * @param {Options} chosen
 */
function offer(formats, chosen) {
  for (const name of NAMES) {
    const values =
      name === "format" ? VALUES.format.filter((format) => formats.has(/** @type {Format} */ (format))) : VALUES[name];
    menus[name].replaceChildren(...values.map((value) => element("option", { value }, labelChoice(name, value))));
    menus[name].value = values.includes(chosen[name]) ? chosen[name] : values[0];
  }
}

/**
 * Return the file formats that this browser can make of a scene, and a sentence about the formats that it cannot make.
 * @param {VideoScene} scene
 */
async function possible({ stills }) {
  const size = SIZES["1920x1080"];
  const pixels = { width: size.width * size.scale, height: size.height * size.scale };
  const [mp4, webm] = await Promise.all([codecFor("mp4", pixels), codecFor("webm", pixels)]);
  /** @type {Set<Format>} */
  const formats = new Set(["gif"]);
  if (mp4) formats.add("mp4");
  if (webm) formats.add("webm");
  if (stills) formats.add("moments");
  if (mp4) return { formats, missing: "" };
  if (webm) return { formats, missing: text("missing.mp4") };
  return {
    formats,
    missing: hasEncoder() || window.isSecureContext ? text("missing.encoder") : text("missing.secure"),
  };
}

/** Show the chosen format's fields and a preview of the video. */
function fit() {
  const { format } = options();
  NAMES.forEach((name, k) => {
    fields[k].hidden = name !== "format" && !OF[format].includes(name);
  });
  draw();
}

async function draw() {
  if (!visible || working) return;
  previewCount += 1;
  const mine = previewCount;
  const { size, theme, seconds } = options();
  const { scene, page } = visible;
  const { canvas, paint } = makePainter(scene, { ...SIZES[size], scale: 1 }, chosenTheme(theme), Number(seconds), page);
  paint(MID);
  if (mine !== previewCount) return;
  mirror(canvas);
}

/**
 * Show a canvas in the dialog.
 * @param {HTMLCanvasElement} canvas
 */
function mirror(canvas) {
  const sharp = window.devicePixelRatio || 1;
  const width = Math.round(Math.min(canvas.width, (canvas.width / canvas.height) * PREVIEW.height * sharp));
  const height = Math.round((width * canvas.height) / canvas.width);
  if (preview.width !== width || preview.height !== height) Object.assign(preview, { width, height });
  const pen = preview.getContext("2d");
  if (pen) pen.imageSmoothingQuality = "high";
  pen?.drawImage(canvas, 0, 0, width, height);
}

/** @param {number} share */
function showProgress(share) {
  bar.value = share;
  message.textContent = text("done", { percent: Math.floor(100 * share) });
}

/**
 * @param {Shown} visible
 * @param {Options} options
 * @param {AbortSignal} signal
 */
async function makeVideo({ scene, page }, { format, size, theme, seconds, fps }, signal) {
  const { canvas, paint } = makePainter(scene, SIZES[size], chosenTheme(theme), Number(seconds), page);
  const { count, share } = timeline(Number(seconds), Number(fps));
  const wanted = { format: /** @type {"mp4" | "webm"} */ (format), canvas, fps: Number(fps), count };
  let last = -1; // the last picture that was painted
  const one = (/** @type {number} */ picture) => {
    const now = share(picture);
    if (now !== last) paint(now);
    last = now;
  };
  const facts = (/** @type {number} */ done) => {
    showProgress(done);
    mirror(canvas);
  };
  const blob = await encode(wanted, one, facts, signal);
  if (!blob) return text("cancelled");
  download(URL.createObjectURL(blob), `${scene.name}.${format}`, true);
  return text("saved", { name: `${scene.name}.${format}`, megabytes: numbers.fixed(blob.size / 1e6, 1) });
}

/** @param {boolean} on */
function busy(on) {
  make.disabled = on;
  cancel.hidden = !on;
  bar.hidden = !on;
  for (const menu of [whats, ...Object.values(menus)]) menu.disabled = on;
  if (on) cancel.focus();
  else if (document.activeElement === cancel || document.activeElement === document.body) make.focus();
}

async function start() {
  if (!visible || working) return;
  const chosen = options();
  storeOptions(chosen, visible.scene.shape);
  if (chosen.format === "gif") {
    dialog.close();
    return visible.page.gif();
  }
  working = new AbortController();
  busy(true);
  showProgress(0);
  try {
    await typeface();
    if (chosen.format === "moments") {
      const { scene, page } = visible;
      await saveMoments(scene, SIZES[chosen.size], chosenTheme(chosen.theme), Number(chosen.moments), page);
      message.textContent = "";
    } else message.textContent = await makeVideo(visible, chosen, working.signal);
  } catch (error) {
    message.textContent = text("failed", { error: error instanceof Error ? error.message : String(error) });
  } finally {
    working = null;
    busy(false);
  }
}

/**
 * Let a scene load its data, and show the progress; returns whether the dialog still shows that scene.
 * @param {VideoScene} scene
 */
async function prepareScene(scene) {
  const isShown = () => visible?.scene === scene; // the dialog may have been closed and opened for another scene
  try {
    await scene.prepare(Math.max(...VALUES.seconds.map(Number)) * Math.max(...VALUES.fps.map(Number)), (share) => {
      if (isShown()) message.textContent = text("preparing", { percent: Math.floor(100 * share) });
    });
  } catch (error) {
    if (isShown())
      message.textContent = text("failed", { error: error instanceof Error ? error.message : String(error) });
    return false;
  }
  if (isShown()) message.textContent = "";
  return isShown();
}

/**
 * Open the dialog for a scene.
 * @param {VideoScene} scene
 * @param {"video" | "moments"} kind
 * @param {VideoPage} page
 */
async function open(scene, kind, page) {
  if (dialog.open) return;
  const [{ formats, missing }] = await Promise.all([possible(scene), typeface()]);
  const chosen = loadOptions(scene.shape);
  const format = kind === "moments" ? "moments" : chosen.format === "moments" ? VALUES.format[0] : chosen.format;
  offers = [{ title: scene.title, make: async () => scene }, ...page.others];
  whats.replaceChildren(...offers.map(({ title: name }, value) => element("option", { value }, name)));
  what.hidden = offers.length < 2;
  note.textContent = missing;
  sheet.open();
  offer(formats, { ...chosen, format: /** @type {Format} */ (format) });
  if (await show({ scene, page })) make.focus();
}

/**
 * Show a scene in the open dialog; returns whether it is still shown after its preparation.
 * @param {Shown} wanted
 */
async function show(wanted) {
  const { scene } = wanted;
  visible = wanted;
  of.textContent = scene.head.endsWith(scene.title) ? scene.head : [scene.head, scene.title].join(" \u00b7 ");
  message.textContent = "";
  make.disabled = true;
  if (!(await prepareScene(scene))) return false;
  make.disabled = false;
  fit();
  return true;
}

/** Show the chosen options. */
async function swap() {
  if (!visible || working) return;
  const { page } = visible;
  make.disabled = true; // the preview is outdated
  const scene = await offers[Number(whats.value)].make();
  if (scene && visible?.page === page) await show({ scene, page });
}

make.addEventListener("click", start);
cancel.addEventListener("click", () => working?.abort());
dialog.addEventListener("change", ({ target }) => (target === whats ? swap() : fit()));
dialog.addEventListener("close", () => {
  working?.abort();
  visible = null;
});
const exported = { open };
export { exported as dialog };
