// Runs in the head, before anything is painted: the theme that the address or a person here has chosen, else the browser's
// preference; and whether the address presents what it opens, in type of which scale. Its language is taken out of it.
(() => {
  function stored() {
    try {
      return JSON.parse(window.localStorage.getItem("theme") || "null");
    } catch {
      return null; // storage is denied, or holds something else
    }
  }

  // The server keeps the language in a cookie, so the address need not name it.
  const { pathname, search, hash } = window.location;
  const fields = search.slice(1).split("&");
  if (fields.some((field) => field.startsWith("lang="))) {
    const rest = fields.filter((field) => !field.startsWith("lang=")).join("&");
    window.history.replaceState(window.history.state, "", pathname + (rest && `?${rest}`) + hash);
  }

  const { dataset, style } = document.documentElement;
  const asked = new URLSearchParams(window.location.search);
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = [asked.get("theme"), stored()].find((each) => each === "light" || each === "dark");
  dataset.bsTheme = theme || (dark ? "dark" : "light");
  const scale = Number(asked.get("scale"));
  if (scale >= 0.5 && scale <= 4) style.setProperty("--scale", String(scale));
  if (asked.has("present")) dataset.present = "on";
})();
