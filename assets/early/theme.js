// Runs in the head before the first paint: applies the theme (from the address, the visitor's choice or the browser's
// preference) and presentation mode with its type scale. Removes the language from the address.
(() => {
  function readStored() {
    try {
      return JSON.parse(window.localStorage.getItem("theme") || "null");
    } catch {
      return null; // storage is denied, or its contents are invalid
    }
  }

  // The server stores the language in a cookie, so the address need not keep it.
  const { pathname, search, hash } = window.location;
  const fields = search.slice(1).split("&");
  if (fields.some((field) => field.startsWith("lang="))) {
    const rest = fields.filter((field) => !field.startsWith("lang=")).join("&");
    window.history.replaceState(window.history.state, "", pathname + (rest && `?${rest}`) + hash);
  }

  const { dataset, style } = document.documentElement;
  const query = new URLSearchParams(window.location.search);
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = [query.get("theme"), readStored()].find((value) => value === "light" || value === "dark");
  dataset.bsTheme = theme || (dark ? "dark" : "light");
  const scale = Number(query.get("scale"));
  if (scale >= 0.5 && scale <= 4) style.setProperty("--scale", String(scale));
  if (query.has("present")) dataset.present = "on";
})();
