/* Pages of the drawer, each fetched and converted to elements once. */
import { element } from "../common/elements.js";
import { diagrams } from "./diagrams.js";
import { typeset } from "./formulas.js";
import { text } from "./texts.js";

/** @typedef {{ title: string, parts: HTMLElement[], shown: (body: HTMLElement) => void }} Contents */

/** @param {string} address */
async function fetchDocument(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** @param {string} base */
const toDocuments = (base) =>
  element("p.how-documents", element("a", { href: `${base}docs/`, "data-doc": "index.md" }, text("documents")));

/**
 * @param {HowAlgorithm[]} algorithms
 * @param {string} base
 * @returns {Contents}
 */
function makeList(algorithms, base) {
  const entries = algorithms.map(({ name, title, summary }) =>
    element("li", element("a", { href: "#", "data-algorithm": name }, title), element("p", summary)),
  );
  const list = element("ul.how-list", ...entries);
  return { title: text("list"), parts: [toDocuments(base), list], shown() {} };
}

/**
 * @param {HowPage} page
 * @param {string} algorithm the page's algorithm, if any
 * @param {string} base
 * @returns {Contents}
 */
function makePage({ title, sections, document: path }, algorithm, base) {
  const named = sections.filter((section) => section.title);
  const links = named.map((section) => element("a", { href: `#${section.anchor}` }, section.title));
  const ways = algorithm ? [element("nav.how-ways", { "aria-label": text("sections") }, ...links)] : [];
  const parts = sections.map(({ html }) => {
    const parsed = new DOMParser().parseFromString(html, "text/html"); // the server made it from its own documents
    return element("section", ...parsed.body.childNodes);
  });
  const sentence = text(path.startsWith("algorithms/") ? "whole" : "whole.own");
  const whole = element("a", { href: `${base}docs/${path}`, "data-doc": path }, sentence);
  const end = algorithm ? [element("p.how-whole", whole), toDocuments(base)] : [];
  let drawn = false;
  return {
    title,
    parts: [...ways, ...parts, ...end],
    shown(body) {
      if (drawn) return;
      drawn = true;
      if (algorithm) diagrams.mount(body, algorithm);
      requestAnimationFrame(() => window.setTimeout(typeset, 0, body)); // once the text is visible
    },
  };
}

/** @type {Map<string, Contents>} */
const pages = new Map();

/**
 * Return contents of the drawer. A page is built only once, since typesetting its formulas is slow.
 * @param {string} base
 * @param {"algorithms" | "documents"} kind
 * @param {string} name empty for the list of all algorithms
 * @returns {Promise<Contents>}
 */
export async function contents(base, kind, name) {
  const cachedPage = pages.get(`${kind} ${name}`);
  if (cachedPage) return cachedPage;
  try {
    const answer = await fetchDocument(name ? `${base}how/${kind}/${name}` : `${base}how`);
    const page = name ? makePage(answer, kind === "algorithms" ? name : "", base) : makeList(answer, base);
    pages.set(`${kind} ${name}`, page);
    return page;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { title: text("list"), parts: [element("p", { role: "alert" }, text("failed", { reason }))], shown() {} };
  }
}
