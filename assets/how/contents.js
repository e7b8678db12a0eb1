/* The pages of the drawer: fetched once each, and made into elements. */
import { element } from "../common/elements.js";
import { diagrams } from "./diagrams.js";
import { typeset } from "./formulas.js";
import { text } from "./texts.js";

/** @typedef {{ title: string, parts: HTMLElement[], shown: (body: HTMLElement) => void }} Contents */

/** @type {Map<string, Promise<any>>} */
const answers = new Map();

/** @param {string} address */
function fetched(address) {
  const known = answers.get(address);
  if (known) return known;
  const asked = fetch(address).then((answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  });
  answers.set(address, asked);
  asked.catch(() => answers.delete(address));
  return asked;
}

/**
 * @param {HowAlgorithm[]} algorithms
 * @returns {Contents}
 */
function listOf(algorithms) {
  const entries = algorithms.map(({ name, title, summary }) =>
    element("li", {}, element("a", { href: "#", "data-algorithm": name }, title), element("p", {}, summary)),
  );
  return { title: text("list"), parts: [element("ul", { class: "how-list" }, ...entries)], shown() {} };
}

/**
 * @param {HowPage} page
 * @param {string} algorithm whose page it is, if it is one's
 * @param {string} base
 * @returns {Contents}
 */
function pageOf({ title, sections, document: path }, algorithm, base) {
  const named = sections.filter((section) => section.title);
  const links = named.map((section) => element("a", { href: `#${section.anchor}` }, section.title));
  const ways = algorithm ? [element("nav", { class: "how-ways", "aria-label": text("sections") }, ...links)] : [];
  const parts = sections.map(({ html }) => {
    const made = new DOMParser().parseFromString(html, "text/html"); // by the server, from its own documents
    return element("section", {}, ...made.body.childNodes);
  });
  const whole = element("a", { href: `${base}docs/${path}`, "data-doc": path }, text("whole"));
  const end = algorithm ? [element("p", { class: "how-whole" }, whole)] : [];
  return {
    title,
    parts: [...ways, ...parts, ...end],
    shown(body) {
      if (algorithm) diagrams.mount(body, algorithm);
      typeset(body);
    },
  };
}

/**
 * What the drawer shows.
 * @param {string} base
 * @param {"algorithms" | "documents"} kind
 * @param {string} name empty for the list of all algorithms
 * @returns {Promise<Contents>}
 */
export async function contents(base, kind, name) {
  try {
    if (!name) return listOf(await fetched(`${base}how`));
    return pageOf(await fetched(`${base}how/${kind}/${name}`), kind === "algorithms" ? name : "", base);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failed = element("p", { role: "alert" }, text("failed", { reason }));
    return { title: text("list"), parts: [failed], shown() {} };
  }
}
