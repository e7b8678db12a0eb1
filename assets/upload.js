/* The upload of a run file: its bytes as they are, as the body of one request; a refusal stands beside it. */
(function (TourScope) {
  "use strict";

  const setProps = (id, props) => window.dash_clientside.set_props(id, props);
  const say = (children) => setProps("run-upload-note", { children });

  /** Send the file, and have it opened. */
  async function send(file) {
    say("Sending and checking the file\u2026");
    const answer = await fetch(`${TourScope.basePath}runs`, { method: "POST", body: file }).catch(() => null);
    const told = answer ? await answer.json().catch(() => ({})) : { sentence: "The file did not reach the server." };
    if (told.id) {
      say("");
      setProps("adopted-run", { data: { run: told.id } });
    } else say(told.sentence || "The server did not take the file.");
  }

  /** Of a file that is too large `clientside.js` says so. */
  function take(area, files) {
    const limit = Number(area.closest("[data-max-bytes]").dataset.maxBytes);
    if (files.length && files[0].size <= limit) send(files[0]);
  }

  function inputFor(area) {
    const input = document.createElement("input");
    input.type = "file";
    input.className = "visually-hidden";
    input.addEventListener("change", () => {
      take(area, input.files);
      input.value = ""; // so that the same file can be chosen again
    });
    return input;
  }

  function equip(area) {
    area.append(inputFor(area));
    const over = (active) => (event) => {
      event.preventDefault();
      area.classList.toggle("drop-active", active);
    };
    area.addEventListener("dragover", over(true));
    area.addEventListener("dragleave", over(false));
    area.addEventListener("drop", (event) => {
      over(false)(event);
      take(area, event.dataTransfer.files);
    });
  }

  TourScope.when(() => TourScope.byId("run-upload"), equip);
})((window.TourScope = window.TourScope || {}));
