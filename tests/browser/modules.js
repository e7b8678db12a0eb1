// Gives tests what the page's modules export, by its name, as `TourScope`: pages themselves have no such global.
document.addEventListener("DOMContentLoaded", async () => {
  const links = [...document.querySelectorAll("link[rel=modulepreload]")];
  const modules = await Promise.all(links.map(({ href }) => import(href)));
  window.TourScope = Object.assign({}, ...modules);
});
