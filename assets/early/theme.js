// Runs in the head, before anything is painted: the theme that was chosen here before, else the browser's preference.
(() => {
  function kept() {
    try {
      return JSON.parse(window.localStorage.getItem("theme") || "null");
    } catch {
      return null; // storage is denied, or holds what is not ours
    }
  }

  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = kept();
  document.documentElement.dataset.bsTheme = theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light";
})();
