/*
 * Files that a person brings. A run file goes to its own route, its bytes as they are; any other file becomes the
 * value of a store, from which Dash tells the server. What was dropped beside the drop areas is taken as well.
 */
(function (TourScope) {
  "use strict";

  const { byId } = TourScope;
  const setProps = (id, props) => window.dash_clientside.set_props(id, props);
  const frameOf = (area) => area.closest("[data-max-bytes]");
  const say = (area, children) => setProps(frameOf(area).dataset.note, { children });

  /** A sender of files as they are, to a route that answers with an id, which becomes the value of a store. */
  const sender = (route, store, name) => async (area, file) => {
    const answer = await fetch(`${TourScope.basePath}${route}`, { method: "POST", body: file }).catch(() => null);
    const told = answer ? await answer.json().catch(() => ({})) : { sentence: "The file did not reach the server." };
    if (told.id) {
      say(area, "");
      setProps(store, { data: { [name]: told.id } });
    } else say(area, told.sentence || "The server did not take the file.");
  };

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
    upload: sendFile,
    "library-upload": sendFile,
  };

  /** Send a file, unless it is too large. */
  function take(area, file) {
    const limit = Number(frameOf(area).dataset.maxBytes);
    if (file.size > limit) {
      say(area, `The file is larger than ${Math.round(limit / 1e6)} MB.`);
      return;
    }
    say(area, "Sending and checking the file\u2026");
    SENDERS[area.id](area, file);
  }

  function inputFor(area) {
    const input = document.createElement("input");
    input.type = "file";
    input.className = "visually-hidden";
    input.addEventListener("change", () => {
      if (input.files.length) take(area, input.files[0]);
      input.value = ""; // so that the same file can be chosen again
    });
    return input;
  }

  /** Where a file belongs that is dropped on `target`. */
  function areaFor(target, file) {
    const frame = target.closest && target.closest("[data-max-bytes]");
    if (frame) return frame.querySelector("label");
    if (byId("race-upload")) {
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
    const file = carriesFiles(event) && event.dataTransfer.files[0];
    if (file) take(areaFor(event.target, file), file);
  }

  for (const id of Object.keys(SENDERS)) {
    TourScope.when(
      () => byId(id),
      (area) => area.append(inputFor(area)),
    );
  }
  document.addEventListener("dragover", onDrag);
  document.addEventListener("dragleave", onDrag);
  document.addEventListener("drop", onDrop);
})((window.TourScope = window.TourScope || {}));
