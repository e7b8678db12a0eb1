/* The keyboard: the player's keys, and a list of them. */
(function (TourScope) {
  "use strict";

  const KEYS = [
    ["Space", "play or pause"],
    ["\u2190 \u2192", "one move back or on; with Shift, ten"],
    ["\u2191 \u2193", "the climb before, the next climb"],
    ["Home, End", "start and end of the climb; again: first and last climb"],
    ["L", "follow the run live"],
    ["O", "show the optimal tour"],
    ["/", "the library of instances"],
    ["?", "this list"],
  ];
  const ALWAYS = ["o", "/", "?"]; // all others work the player, which waits for a run
  const OURS = ["player-climb", "player-move"];
  const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  const NEEDS = { checkbox: [" "], radio: [" ", ...ARROWS], range: [...ARROWS, "Home", "End"] };
  const FIELDS = "input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox], .ag-header";

  const work = {
    " ": (player) => player.toggle(),
    ArrowLeft: (player, shift) => player.step(shift ? -10 : -1),
    ArrowRight: (player, shift) => player.step(shift ? 10 : 1),
    ArrowUp: (player) => player.climbBy(-1),
    ArrowDown: (player) => player.climbBy(1),
    Home: (player) => player.home(),
    End: (player) => player.end(),
    l: (player) => player.live(),
    o: () => toggleOptimal(),
    "/": () => TourScope.library.open(),
    "?": () => help(),
  };

  /** The switch on the page does it, so that it always shows what is the case. */
  function toggleOptimal() {
    const box = document.querySelector("input#show-optimal, #show-optimal input");
    if (box) box.click();
  }

  function row([keys, what]) {
    const line = document.createElement("div");
    const name = document.createElement("kbd");
    name.textContent = keys;
    line.append(name, ` ${what}`);
    return line;
  }

  function help() {
    const open = document.getElementById("keys");
    if (open) {
      open.close();
      return;
    }
    const dialog = document.createElement("dialog");
    dialog.id = "keys";
    dialog.setAttribute("aria-label", "Keys");
    dialog.append(...KEYS.map(row));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", () => dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  }

  /** Whether the element needs the key itself: what is typed into, chosen from, or pressed. */
  function taken(element, key) {
    if (OURS.includes(element.id)) return false;
    if (element.closest(FIELDS)) return !NEEDS[element.type] || NEEDS[element.type].includes(key);
    return Boolean(key === " " && element.closest("button, a, summary, [role=button]"));
  }

  document.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!work[key] || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (taken(event.target, key) || (document.querySelector("dialog[open]") && key !== "?")) return;
    if (!ALWAYS.includes(key) && !TourScope.run.id) return;
    event.preventDefault();
    work[key](TourScope.player, event.shiftKey);
  });
})((window.TourScope = window.TourScope || {}));
