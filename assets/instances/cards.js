/* The cards of instances: one instance each, as text and a picture. Names and comments of files are text alone. */
import { format } from "../common/format.js";
import { shelf } from "./data.js";
import { thumbnail } from "./thumbnail.js";

const TAG = 20; // pixels that the tag takes
const SCALED = "No coordinates: the map is made from the distances by multidimensional scaling (MDS)";

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {string} [text]
 */
function make(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/** @param {HTMLElement[]} parts */
function line(...parts) {
  const element = make("span", "card-line");
  element.append(...parts);
  return element;
}

/**
 * The words of a menu of the dialog for one of its values.
 * @param {"kind" | "source"} menu
 * @param {string} value
 */
function wordsOf(menu, value) {
  /** @type {NodeListOf<HTMLOptionElement>} */
  const options = document.querySelectorAll(`#instances-${menu} option`);
  const option = [...options].find((each) => each.value === value);
  return option ? option.textContent : value;
}

/** @param {Card} card */
function optimum({ optimum: length, proven }) {
  if (!length) return line(make("span", "", "no optimum known"));
  const number = make("span", "figure", format.integer(length));
  return line(make("span", "", proven ? "optimum" : "best known"), number);
}

/**
 * @param {string} text
 * @param {string} title
 */
function tag(text, title) {
  const element = make("span", "tag", text);
  element.title = title;
  return element;
}

/** @param {Card} card */
function pictureOf(card) {
  const frame = make("span", "card-picture");
  frame.append(make("canvas", "thumbnail"));
  if (card.scaled) frame.append(tag("map by MDS", SCALED));
  return frame;
}

/**
 * Fill a card's element with what is known of it.
 * @param {HTMLElement} element
 * @param {Card} card
 */
function fill(element, card) {
  const name = make("bdi", "card-name", card.name);
  const measure = make("span", "", wordsOf("kind", card.kind));
  const known = card.tour ? [make("span", "known", "tour")] : [];
  for (const each of known) each.append(make("span", "more", " known"));
  const origin = card.source === "bundled" ? card.comment : `${wordsOf("source", card.source)} · ${card.comment}`;
  element.replaceChildren(
    pictureOf(card),
    line(name, make("span", "figure", format.cities(card.n))),
    line(measure, ...known),
    optimum(card),
    make("bdi", "card-origin", origin.replace(/ · $/, "")),
  );
  element.title = [card.name, card.comment].filter(Boolean).join(": ");
  const canvas = element.querySelector("canvas");
  if (canvas && card.positions.length) {
    const below = card.scaled ? TAG : 0; // no city lies behind the tag
    thumbnail.show(canvas, { ...card, below });
  }
}

// The picture of a file of the user's folder is asked for when its card comes into sight.
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) complete(/** @type {CardElement} */ (target));
});

/** @param {CardElement} element */
async function complete(element) {
  sight.unobserve(element);
  const card = await shelf.one(element.card.reference);
  if (!("sentence" in card)) fill(element, card);
  else element.querySelector(".card-picture")?.replaceChildren(make("span", "refusal", card.sentence));
}

/**
 * The element of a card, which keeps it as `card`.
 * @param {Card} card
 * @returns {CardElement}
 */
function cardElement(card) {
  const element = Object.assign(make("button", "card"), { card });
  element.type = "button";
  element.tabIndex = -1;
  element.setAttribute("role", "option");
  fill(element, card);
  if (!card.positions.length) sight.observe(element);
  return element;
}

export { cardElement };
