/* Formulas: KaTeX typesets the server's TeX, with MathML for screen readers. It is fetched with the first formula. */

const MIN_SCALE = 0.75; // smallest scale to which a formula is shrunk to fit
const TYPES = ["1em KaTeX_Main", "italic 1em KaTeX_Math"]; // fonts of every formula, loaded before widths are measured

/** @type {Promise<any> | null} */
let fetching = null;

/** @param {string} end */
const address = (end) => {
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector("link[data-how]");
  return new URL(`../vendor/katex.min.${end}`, link?.href || document.baseURI).href;
};

/**
 * @param {HTMLElement} made
 */
function waitForLoad(made) {
  return new Promise((done, failed) => {
    made.addEventListener("load", done);
    made.addEventListener("error", failed);
    document.head.append(made);
  });
}

function katex() {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address("css") });
  const script = Object.assign(document.createElement("script"), { src: address("js") });
  fetching ||= Promise.all([waitForLoad(script), waitForLoad(sheet)])
    .then(() => Promise.allSettled(TYPES.map((type) => document.fonts.load(type))))
    .then(() => /** @type {any} */ (window).katex);
  return fetching;
}

/**
 * Shrink a formula that is wider than its container; below three quarters it scrolls instead.
 * @param {HTMLElement} formula
 */
function fit(formula) {
  formula.style.fontSize = "";
  const share = formula.clientWidth / formula.scrollWidth;
  if (share < 1) formula.style.fontSize = `${100 * Math.max(MIN_SCALE, share - 0.01)}%`;
  if (formula.scrollWidth > formula.clientWidth)
    formula.tabIndex = 0; // so that it can be scrolled by keyboard too
  else formula.removeAttribute("tabindex");
}

// Measure a formula when it first gets a size (hidden parts have none), when its size changes, and once the fonts are
// loaded.
const sizes = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (!(target instanceof HTMLElement) || !target.clientWidth) continue;
    requestAnimationFrame(() => fit(target)); // deferred: the observer must not cause a change of size itself
    document.fonts.ready.then(() => fit(target));
  }
});

/**
 * Typeset all formulas below an element. If that fails, they stay TeX.
 * @param {HTMLElement} body
 */
export async function typeset(body) {
  /** @type {HTMLElement[]} */
  const formulas = [...body.querySelectorAll(".math:not([data-set])")].filter(
    (element) => element instanceof HTMLElement,
  );
  if (!formulas.length) return;
  try {
    const { render } = await katex();
    for (const formula of formulas) {
      if (formula.dataset.set !== undefined) continue; // typeset while KaTeX was fetched
      const source = formula.textContent || "";
      formula.dataset.set = "";
      render(source, formula, { displayMode: formula.classList.contains("block"), throwOnError: false });
      if (formula.classList.contains("block")) sizes.observe(formula);
    }
  } catch {
    fetching = null;
    for (const formula of formulas) formula.dataset.set = "";
  }
}
