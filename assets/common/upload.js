/*
 * Files that a person brings. A run file goes to its own route, its bytes as they are; any other file becomes the
 * value of a store, from which Dash tells the server. What was dropped beside the drop areas is taken as well.
 */
import { setProps } from "./callbacks.js";
import { basePath, byId, when } from "./dom.js";

const frameOf = (area) => area.closest("[data-max-bytes]");
const say = (area, children) => setProps(frameOf(area).dataset.note, { children });

/**
 * A sender of files as they are, to a route that answers with an id, which becomes the value of a store. It tells
 * whether the server took the file.
 */
const sender = (route, store, name) => async (area, file) => {
  const answer = await fetch(`${basePath()}${route}`, { method: "POST", body: file }).catch(() => null);
  const told = answer ? await answer.json().catch(() => ({})) : { sentence: "The file did not reach the server." };
  if (told.id) {
    say(area, "");
    setProps(store, { data: { [name]: told.id } });
  } else say(area, told.sentence || "The server did not take the file.");
  return Boolean(told.id);
};

// Of the library: the suffix decides the route; a file that has none of these is refused as a run file is.
const ROUTES = { tourrace: ["races", "race"], tourstudy: ["studies", "study"] };

function sendKept(area, file) {
  const [route, name] = ROUTES[file.name.toLowerCase().split(".").pop()] || ["runs", "run"];
  return sender(route, "catalogue-adopted", name)(area, file);
}

function sendFile(area, file) {
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    // the time makes it another value when the same file comes again
    setProps("file", { data: { contents: reader.result, filename: file.name, at: Date.now() } });
  });
  reader.addEventListener("error", () => say(area, "The browser cannot read this file: choose it again."));
  reader.readAsDataURL(file);
}

const SENDERS = {
  "run-upload": sender("runs", "adopted-run", "run"),
  "race-upload": sender("races", "race-adopted", "race"),
  "studies-upload": sender("studies", "studies-adopted", "study"),
  "catalogue-upload": sendKept,
  upload: sendFile,
  "library-upload": sendFile,
};

/** Send a file, unless it is too large; false if it was not taken. */
async function take(area, file) {
  const limit = Number(frameOf(area).dataset.maxBytes);
  if (file.size > limit) {
    say(area, `The file is larger than ${Math.round(limit / 1e6)} MB.`);
    return false;
  }
  say(area, "Sending and checking the file\u2026");
  return SENDERS[area.id](area, file);
}

const takesMany = (area) => area.id === "catalogue-upload";

/** Send files one after the other, where an area takes more than one, until one is refused. */
async function takeAll(area, files) {
  for (const file of takesMany(area) ? files : files.slice(0, 1)) {
    if ((await take(area, file)) === false) return;
  }
}

function inputFor(area) {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = takesMany(area);
  input.className = "visually-hidden";
  input.addEventListener("change", () => {
    takeAll(area, [...input.files]);
    input.value = ""; // so that the same file can be chosen again
  });
  return input;
}

/** Where a file belongs that is dropped on `target`. */
function areaFor(target, file) {
  const frame = target.closest?.("[data-max-bytes]");
  if (frame) return frame.querySelector("label");
  if (byId("catalogue-upload")) return byId("catalogue-upload");
  if (byId("studies-upload")) {
    byId("recent-studies").open = true;
    return byId("studies-upload");
  }
  if (byId("race-upload") && /\.(tourrace|tourscope)$/i.test(file.name)) {
    byId("recent-races").open = true;
    return byId("race-upload");
  }
  if (!file.name.toLowerCase().endsWith(".tourscope")) return byId(byId("library").open ? "library-upload" : "upload");
  byId("recent-runs").open = true; // where what is wrong with it is told
  return byId("run-upload");
}

const carriesFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");

function onDrag(event) {
  if (!carriesFiles(event)) return;
  event.preventDefault(); // or else the browser would leave the page for the file
  document.body.classList.toggle("dropping", event.type === "dragover");
}

function onDrop(event) {
  onDrag(event);
  const files = carriesFiles(event) ? [...event.dataTransfer.files] : [];
  if (files.length) takeAll(areaFor(event.target, files[0]), files);
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
