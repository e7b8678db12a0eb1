/*
 * Uploads. A run file is sent unchanged to its own route; any other file becomes the value of a store, which Dash sends
 * to the server. Files dropped outside the drop areas and pasted tables are accepted too.
 */
import { readJson } from "./response.js";
import { setProps } from "./callbacks.js";
import { basePath, byId, closest, when } from "./dom.js";
import { element } from "./elements.js";
import { emit } from "./events.js";
import { text } from "./texts.js";
import { wait } from "./waiting.js";

const IMAGES = ["image/png", "image/jpeg"]; // these files open the dialog that converts pictures to cities

/** @typedef {(area: HTMLElement, file: File) => Promise<boolean> | void} Sender */

/** @param {HTMLElement} area */
const findFrame = (area) => /** @type {HTMLElement} */ (area.closest("[data-max-bytes]"));

/**
 * Show why a file is refused.
 * @param {HTMLElement} area
 * @param {string} children
 */
const showNote = (area, children) => setProps(findFrame(area).dataset.note || "", { children });

/**
 * Show that a file is being sent, not as an error, until another note replaces it. Start waits too: the file would
 * replace the run.
 * @param {HTMLElement} area
 */
function showSending(area) {
  const note = byId(findFrame(area).dataset.note || "");
  const sentence = text("upload.checking");
  wait("file", sentence);
  const watcher = new MutationObserver(() => {
    const sending = note.textContent === sentence;
    note.classList.toggle("sending", sending);
    if (sending) return;
    wait("file", "");
    watcher.disconnect();
  });
  watcher.observe(note, { childList: true, characterData: true, subtree: true });
  showNote(area, sentence);
}

/**
 * Make a function that sends files unchanged to a route, which responds with an id. The function resolves to whether
 * the server accepted the file.
 * @param {string} route
 * @param {(id: string) => void} onSent
 * @returns {(area: HTMLElement, file: File) => Promise<boolean>}
 */
const sender = (route, onSent) => async (area, file) => {
  const answer = await fetch(`${basePath()}${route}`, { method: "POST", body: file }).catch(() => null);
  const values = answer ? await readJson(answer).catch(() => ({})) : { sentence: text("upload.not-sent") };
  if (values.id) {
    showNote(area, "");
    onSent(values.id);
  } else showNote(area, values.sentence || text("upload.refused"));
  return Boolean(values.id);
};

/**
 * For each kind of page: the route for its saved files, and the names of the files that its menu of recent entries
 * accepts.
 * @type {Record<LibraryKind, [route: string, names: RegExp]>}
 */
const SAVED = {
  run: ["runs", /\.tourscope$/i],
  race: ["races", /\.tour(scope|race)$/i],
  study: ["studies", /\.tour(scope|race|study)$/i],
};

/** @returns {LibraryKind} the kind of the page's menu of recent entries */
const recentKind = () => byId("recent").dataset.kind;

/**
 * @param {HTMLElement} area
 * @param {File} file
 */
function sendRecentFile(area, file) {
  const kind = recentKind();
  return sender(SAVED[kind][0], (id) => setProps("adopted", { data: { [kind]: id } }))(area, file);
}

/**
 * For the library, the suffix determines the route; a file with another suffix is refused like an invalid run file.
 * @param {HTMLElement} area
 * @param {File} file
 */
function sendSavedFile(area, file) {
  const [, suffix] = /\.tour(race|study)$/i.exec(file.name) || [];
  const kind = /** @type {LibraryKind} */ (suffix?.toLowerCase() || "run");
  return sender(SAVED[kind][0], (id) => emit("adopted", { kind, id }))(area, file);
}

/**
 * @param {HTMLElement} area
 * @param {File} file
 */
function sendFile(area, file) {
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    // the time changes the value if the same file is sent again
    setProps("file", { data: { contents: reader.result, filename: file.name, at: Date.now() } });
  });
  reader.addEventListener("error", () => showNote(area, text("upload.unreadable")));
  reader.readAsDataURL(file);
}

/**
 * @param {HTMLElement} area
 * @param {File} file
 */
const sendLesson = (area, file) =>
  sender(`learn/lessons/${encodeURIComponent(file.name)}`, () => window.location.reload())(area, file);

/** @type {Record<string, Sender>} */
const SENDERS = {
  "recent-upload": sendRecentFile,
  "library-upload": sendSavedFile,
  "lesson-upload": sendLesson,
  upload: sendFile,
  "instances-upload": sendFile,
};

/**
 * Send a file unless it is too large; returns false if it was refused.
 * @param {HTMLElement} area
 * @param {File} file
 */
async function sendUpload(area, file) {
  if (SENDERS[area.id] === sendFile && byId("picture-open") && IMAGES.includes(file.type)) {
    showNote(area, "");
    emit("image", file);
    return;
  }
  const limit = Number(findFrame(area).dataset.maxBytes);
  if (file.size > limit) {
    showNote(area, text("upload.too-large", { limit: Math.round(limit / 1e6) }));
    return false;
  }
  showSending(area);
  return SENDERS[area.id](area, file);
}

/** @param {HTMLElement} area */
const takesMany = (area) => area.id === "library-upload";

/**
 * Send files one after another until one is refused; only the first if the area accepts a single file.
 * @param {HTMLElement} area
 * @param {File[]} files
 */
async function sendUploads(area, files) {
  for (const file of takesMany(area) ? files : files.slice(0, 1)) {
    if ((await sendUpload(area, file)) === false) return;
  }
}

/** @param {HTMLElement} area */
function inputFor(area) {
  const input = element("input.visually-hidden", { type: "file", multiple: takesMany(area) });
  input.addEventListener("change", () => {
    sendUploads(area, [...(input.files || [])]);
    input.value = ""; // so that the same file can be chosen again immediately
  });
  return input;
}

/**
 * Return the drop area for a dropped file.
 * @param {DragEvent} event
 * @param {File} file
 * @returns {any}
 */
function areaFor(event, file) {
  const frame = closest(event, "[data-max-bytes]");
  if (frame) return frame.querySelector("label");
  for (const alone of ["library-upload", "lesson-upload"]) if (byId(alone)) return byId(alone);
  const saved = byId("recent") && SAVED[recentKind()][1].test(file.name);
  if (!saved) return byId(byId("instances")?.open ? "instances-upload" : "upload");
  byId("recent").open = true; // the menu in which its error is shown
  return byId("recent-upload");
}

/**
 * Return the dragged files, if there are any.
 * @param {DragEvent} event
 */
const findDraggedFiles = ({ dataTransfer }) => (dataTransfer?.types.includes("Files") ? dataTransfer : null);

/** @param {DragEvent} event */
function onDrag(event) {
  if (!findDraggedFiles(event)) return;
  event.preventDefault(); // otherwise the browser would open the file instead of the page
  document.body.classList.toggle("dropping", event.type === "dragover");
}

/** @param {DragEvent} event */
function onDrop(event) {
  onDrag(event);
  const files = [...(findDraggedFiles(event)?.files || [])];
  if (files.length) sendUploads(areaFor(event, files[0]), files);
}

/**
 * Handle a table that is pasted anywhere but into a field or a drawing like a file.
 * @param {ClipboardEvent} event
 */
function onPaste(event) {
  const table = event.clipboardData?.getData("text") || "";
  if (!byId("upload") || closest(event, "input, textarea, #draw") || !/\S[\t,;].*\n/.test(table)) return;
  sendUpload(byId(byId("instances")?.open ? "instances-upload" : "upload"), new File([table], "pasted.csv"));
}

for (const id of Object.keys(SENDERS)) {
  when(
    () => byId(id),
    (area) => area.append(inputFor(area)),
  );
}
document.addEventListener("dragover", onDrag);
document.addEventListener("dragleave", onDrag);
document.addEventListener("drop", onDrop);
document.addEventListener("paste", onPaste);
