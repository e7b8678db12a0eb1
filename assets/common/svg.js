/* Makes SVG elements for drawings within a page. */
const NAMESPACE = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg")?.namespaceURI || "";

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Element | string)} children
 */
export function makeShape(name, attributes, ...children) {
  const node = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}
