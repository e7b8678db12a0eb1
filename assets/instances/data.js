/* What the server knows of instances (`runs/web/instances.py`): the whole shelf, and any one instance by its reference. */
import { basePath } from "../common/dom.js";
import { frames } from "../common/frames.js";

/** @type {Card[]} */
let cards = [];
/** @type {string | null} */
let tag = ""; // of the answer that `cards` was made of

/**
 * The value that the instance menu has for a reference; the same rule as in `components/instances/references.py`.
 * @param {Record<string, unknown>} reference
 */
function menuValue(reference) {
  return Object.keys(reference).join() === "name" ? String(reference.name) : JSON.stringify(reference);
}

/**
 * The cards of a frame: what it says of each instance, and its positions.
 * @param {Frames["shelf"]} frame
 * @returns {Card[]}
 */
function cardsOf({ values, arrays }) {
  const { starts, positions } = arrays;
  return values.cards.map((card, k) => ({
    ...card,
    value: menuValue(card.reference),
    positions: positions.subarray(2 * starts[k], 2 * starts[k + 1]),
  }));
}

/** The shelf's cards: the same array for as long as the shelf is the same; null if the server does not tell. */
async function all() {
  const answer = await fetch(`${basePath()}shelf`).catch(() => null);
  if (!answer?.ok) return null;
  const now = answer.headers.get("etag");
  if (now !== tag) [tag, cards] = [now, cardsOf(frames.decode(await answer.arrayBuffer()))];
  return cards;
}

/**
 * The card of one instance, or why there is none.
 * @param {Record<string, unknown>} reference
 * @returns {Promise<Card | Refusal>}
 */
async function one(reference) {
  const address = `${basePath()}shelf?ref=${encodeURIComponent(JSON.stringify(reference))}`;
  const answer = await fetch(address).catch(() => null);
  if (!answer) return { sentence: "The server does not answer." };
  if (answer.ok) return cardsOf(frames.decode(await answer.arrayBuffer()))[0];
  return answer.json().catch(() => ({ sentence: "The instance cannot be read." }));
}

/**
 * The reference that a value of the instance menu stands for: a name, or a reference as JSON.
 * @param {string} value
 * @returns {Record<string, unknown>}
 */
const referenceOf = (value) => (value.startsWith("{") ? JSON.parse(value) : { name: value });

/**
 * The frame of an instance; null where the server has none, or does not answer.
 * @param {Record<string, unknown>} reference
 * @returns {Promise<Frames["instance"] | null>}
 */
async function frame(reference) {
  const address = `${basePath()}instance?ref=${encodeURIComponent(JSON.stringify(reference))}`;
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? frames.decode(await answer.arrayBuffer()) : null;
}

export { referenceOf };
export const shelf = { all, one, frame };
