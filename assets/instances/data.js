/* The server's data on instances (`runs/web/instances.py`): the whole list, and single instances by reference. */
import { basePath } from "../common/dom.js";
import { frames } from "../common/frames.js";
import { text } from "./texts.js";

/** @type {Card[]} */
let cards = [];
/** @type {string | null} */
let tag = ""; // ETag of the response with `cards`

/**
 * Return the value in the instance menu for a reference, by the rule of `components/instances/references.py`.
 * @param {Record<string, unknown>} reference
 */
function menuValue(reference) {
  return Object.keys(reference).join() === "name" ? String(reference.name) : JSON.stringify(reference);
}

/**
 * Decode the cards in a frame: facts and positions of each instance.
 * @param {Frames["instances"]} frame
 * @returns {Card[]}
 */
function decodeCards({ values, arrays }) {
  const { starts, positions } = arrays;
  return values.cards.map((card, k) => ({
    ...card,
    value: menuValue(card.reference),
    positions: positions.subarray(2 * starts[k], 2 * starts[k + 1]),
  }));
}

/**
 * Request a route, for one instance if given; null if the server does not respond.
 * @param {"instance" | "instances"} route
 * @param {Record<string, unknown>} [reference]
 */
function requestRoute(route, reference) {
  const query = reference ? `?ref=${encodeURIComponent(JSON.stringify(reference))}` : "";
  return fetch(`${basePath()}${route}${query}`).catch(() => null);
}

/** @param {Response} answer */
const readFrame = async (answer) => frames.decode(await answer.arrayBuffer());

/**
 * Return the cards of the instance list, as the same array while the list is unchanged; null if the server does not
 * respond.
 */
export async function fetchCards() {
  const answer = await requestRoute("instances");
  if (!answer?.ok) return null;
  const now = answer.headers.get("etag");
  if (now !== tag) [tag, cards] = [now, decodeCards(await readFrame(answer))];
  return cards;
}

/**
 * Return the card of an instance, or the reason why there is none.
 * @param {Record<string, unknown>} reference
 * @returns {Promise<Card | Refusal>}
 */
export async function fetchCard(reference) {
  const answer = await requestRoute("instances", reference);
  if (answer?.ok) return decodeCards(await readFrame(answer))[0];
  if (!answer) return { sentence: text("server.silent") };
  return answer.json().catch(() => ({ sentence: text("server.unreadable") }));
}

/**
 * Return the reference in a value of the instance menu: a name, or a reference as JSON.
 * @param {string} value
 * @returns {Record<string, unknown>}
 */
export const parseReference = (value) => (value.startsWith("{") ? JSON.parse(value) : { name: value });

/**
 * Return the frame of an instance; null if the server lacks it or does not respond.
 * @param {Record<string, unknown>} reference
 * @returns {Promise<Frames["instance"] | null>}
 */
export async function instanceFrame(reference) {
  const answer = await requestRoute("instance", reference);
  return answer?.ok ? readFrame(answer) : null;
}
