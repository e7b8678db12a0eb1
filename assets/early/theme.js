// Runs in the head, before anything is painted: the theme that the address or a person here has chosen, else the browser's
// preference; and whether the address presents what it opens, in type of which scale.
(() => {
  function kept() {
    try {
      return JSON.parse(window.localStorage.getItem("theme") || "null");
    } catch {
      return null; // storage is denied, or holds what is not ours
    }
  }

  const { dataset, style } = document.documentElement;
  const asked = new URLSearchParams(window.location.search);
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = [asked.get("theme"), kept()].find((each) => each === "light" || each === "dark");
  dataset.bsTheme = theme || (dark ? "dark" : "light");
  const scale = Number(asked.get("scale"));
  if (scale >= 0.5 && scale <= 4) style.setProperty("--scale", String(scale));
  if (asked.has("present")) dataset.present = "on";
})();
