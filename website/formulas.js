// Formulas: KaTeX, from this site's own files, sets what is left as TeX.
for (const formula of document.querySelectorAll(".arithmatex")) {
  const block = formula.tagName === "DIV";
  const source = formula.textContent.trim().replace(/^\\[[(]|\\[\])]$/g, "");
  window.katex.render(source, formula, { displayMode: block, throwOnError: false });
}
