// Runs in the head of the Watch page: asks for the cities that it will show first, before any other script is there; and
// says whether the guide of the first minute is shown, which is not for who comes by a link to something; for others it
// says which cities these are.
(() => {
  function isGuided() {
    try {
      return window.localStorage.getItem("guide") !== "closed";
    } catch {
      return true; // storage is denied: the guide appears at each visit
    }
  }

  const asked = new URLSearchParams(window.location.search);
  const { basePath = "/" } = document.documentElement.dataset;
  const { instance = "" } = document.currentScript?.dataset || {};
  const name = asked.get("instance") || instance;
  const view = ["theme", "scale", "guide"]; // fields of a link that name no run and no instance
  const opens = [...asked.keys()].some((name) => !view.includes(name));
  if (asked.has("guide") || (!opens && isGuided())) document.documentElement.dataset.guide = "on";
  if (!opens) document.documentElement.dataset.first = instance;
  if (asked.has("run") || name.startsWith("{")) return; // the stream sends those of a run; the page requests others
  const link = document.createElement("link");
  // as `assets/instances/data.js` will ask: another address would be fetched in vain
  const address = `${basePath}instance?ref=${encodeURIComponent(JSON.stringify({ name }))}`;
  Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: address });
  document.head.append(link);
})();
