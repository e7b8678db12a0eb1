// Runs in the head of the Watch page: requests the cities to be shown first, before any other script is loaded. Decides
// whether the guide of the first minute is shown; visitors who follow a link do not see it.
(() => {
  function isGuided() {
    try {
      return window.localStorage.getItem("guide") !== "closed";
    } catch {
      return true; // storage is denied: the guide appears on each visit
    }
  }

  const query = new URLSearchParams(window.location.search);
  const { basePath = "/" } = document.documentElement.dataset;
  const { instance = "" } = document.currentScript?.dataset || {};
  const name = query.get("instance") || instance;
  const view = ["theme", "scale", "guide"]; // fields of a link without a run or an instance
  const opens = [...query.keys()].some((name) => !view.includes(name));
  const isTaught = window.location.hash.includes("lesson="); // a lesson is open, which guides the reader itself
  if (query.has("guide") || (!opens && !isTaught && isGuided())) document.documentElement.dataset.guide = "on";
  if (!opens) document.documentElement.dataset.first = instance;
  if (query.has("run") || name.startsWith("{")) return; // the stream sends a run's cities; the page requests others
  const link = document.createElement("link");
  // the same address as in `assets/instances/data.js`; otherwise the preloaded response would not be used
  const address = `${basePath}instance?ref=${encodeURIComponent(JSON.stringify({ name }))}`;
  Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: address });
  document.head.append(link);
})();
