// Runs in the head of the study page: requests the study in the address, and Plotly, before any other script is loaded.
(() => {
  const id = new URLSearchParams(window.location.search).get("id");
  if (!id) return;
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector("link[data-plotly]");
  if (link) link.rel = "preload"; // without a study there is no chart
  const answer = fetch(`first/${encodeURIComponent(id)}`, { cache: "no-store" })
    .then((details) => (details.ok ? details.json() : null))
    .catch(() => null); // the page itself reports the error
  window.firstStudy = { id, answer };
})();
