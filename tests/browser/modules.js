// Gives tests what the page's modules export, by its name, as `TourScope`: pages themselves have no such global.
document.addEventListener("DOMContentLoaded", async () => {
  const page = document.querySelector("script[type=module]");
  window.TourScope = Object.assign({}, ...Object.values(await import(page.src)));
});
