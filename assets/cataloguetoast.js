/* The note that says what was done, with the button that undoes it; it stays while somebody is at it. */
(function (TourScope) {
  "use strict";

  const STAYS = { undo: 12000, said: 5000 }; // milliseconds

  const { byId } = TourScope;
  let timer = 0;

  function hide() {
    window.clearTimeout(timer);
    byId("catalogue-toast").hidden = true;
  }

  function wait(milliseconds) {
    const toast = byId("catalogue-toast");
    window.clearTimeout(timer);
    timer = window.setTimeout(() => (toast.matches(":hover, :focus-within") ? wait(milliseconds) : hide()), milliseconds);
  }

  function show({ says, undo, href, refused }) {
    if (!says) return;
    const toast = byId("catalogue-toast");
    const parts = [TourScope.make.element("span", {}, says)];
    if (undo) parts.push(TourScope.make.button({ class: "link", "data-undo": undo }, "Undo"));
    if (href) parts.push(TourScope.make.element("a", { class: "link", href }, "Open it"));
    parts.push(TourScope.make.button({ class: "toast-close", "aria-label": "Close the note" }, "", "close"));
    toast.classList.toggle("refused", Boolean(refused));
    toast.replaceChildren(...parts);
    toast.hidden = false;
    wait(undo || refused ? STAYS.undo : STAYS.said);
  }

  document.addEventListener("click", ({ target }) => {
    const toast = target.closest && target.closest("#catalogue-toast");
    if (toast && target.closest("button")) hide();
  });

  TourScope.on("catalogue-done", show);
  TourScope.on("catalogue-said", show);
})((window.TourScope = window.TourScope || {}));
