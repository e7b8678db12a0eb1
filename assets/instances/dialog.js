/* The dialog of instances: a card for each, filters, and keyboard navigation. */
import { readProp, setProps } from "../common/callbacks.js";
import { byId, closest, when } from "../common/dom.js";
import { emit } from "../common/events.js";
import { cardElement } from "./cards.js";
import { fetchCard, fetchCards } from "./data.js";
import { text } from "./texts.js";

const dialog = () => byId("instances");
const search = () => byId("instances-search");

/** @type {CardElement[]} */
let elements = []; // elements of all cards
/** @type {{ cards: Card[], session: string } | null} */
let listed = null; // what the cards show: the list, and the instances made on this page
let wanted = { text: "", size: "any", kind: "any", source: "any", sort: "n" };
let chosen = ""; // the value of the instance menu

const visible = () => elements.filter((element) => !element.hidden);

/** @param {Card} card */
function matches({ n, kind, source, name, comment }) {
  const [least, most] = wanted.size === "any" ? ["", ""] : wanted.size.split("-");
  if (n < Number(least) || (most && n > Number(most))) return false;
  if (![kind, "any"].includes(wanted.kind) || ![source, "any"].includes(wanted.source)) return false;
  const words = wanted.text.toLowerCase().split(/\s+/);
  return words.every((word) => `${name} ${comment}`.toLowerCase().includes(word));
}

/**
 * @param {Card} a
 * @param {Card} b
 */
const byName = (a, b) => a.name.localeCompare(b.name, "en", { numeric: true });
/** @type {Record<string, (a: Card, b: Card) => number>} */
const order = { n: (a, b) => a.n - b.n || byName(a, b), name: byName };

/** Show the cards that match the filters, in the chosen order. */
function arrange() {
  const list = byId("instances-cards");
  if (!list) return;
  elements.sort((a, b) => order[wanted.sort](a.card, b.card));
  for (const element of elements) {
    element.hidden = !matches(element.card);
    element.setAttribute("aria-selected", String(element.card.value === chosen));
    element.tabIndex = -1;
  }
  const focused = document.activeElement;
  list.replaceChildren(...elements);
  // moving the focused card takes its focus away
  if (focused instanceof HTMLElement && focused.closest(".card")) focused.focus();
  const shown = visible();
  const entry = shown.find((element) => element.card.value === chosen) || shown[0];
  if (entry) entry.tabIndex = 0;
  for (const element of elements) element.classList.toggle("first", Boolean(wanted.text) && element === shown[0]);
  const [count, all] = [shown.length, elements.length];
  const values = count === all ? text("list.count", { count }) : text("list.count.part", { count, all });
  const sentence = count || !all ? values : text("list.none");
  setProps("instances-count", { children: listed ? sentence : text("list.loading") });
}

/** Return the values of the menu that are not names: instances uploaded, generated or linked on this page. */
function listUnnamed() {
  /** @type {{ value: string }[]} */
  const options = readProp("instance", "options");
  return options.map((option) => option.value).filter((value) => value.startsWith("{"));
}

/** Fetch the list, and rebuild the cards if it has changed. */
async function refresh() {
  const cards = await fetchCards();
  if (!cards) return setProps("instances-count", { children: text("list.silent") });
  const session = listUnnamed();
  if (listed && listed.cards === cards && listed.session === session.join()) return;
  const more = await Promise.all(session.map((value) => fetchCard(JSON.parse(value))));
  listed = { cards, session: session.join() };
  elements = [...cards, ...more.flatMap((card) => ("sentence" in card ? [] : card))].map(cardElement);
  arrange();
}

/** Open the dialog with the focus in its search field. */
function open() {
  if (!dialog() || dialog().open) return;
  arrange();
  dialog().showModal();
  search().focus();
  search().select();
  emit("instances", true);
  return refresh();
}

const close = () => dialog()?.close();

/**
 * Choose an instance by its value in the menu, and close the dialog.
 * @param {string} value
 */
function choose(value) {
  setProps("choice", { data: { value } });
  close();
}

/**
 * @param {string | null} text
 * @param {string} size
 * @param {string} kind
 * @param {string} source
 * @param {string} sort
 */
function filter(text, size, kind, source, sort) {
  wanted = { text: (text || "").trim(), size, kind, source, sort };
  arrange();
}

/**
 * Return the card next to a card in the direction of an arrow key.
 * @param {CardElement} from
 * @param {string} key
 * @returns {HTMLElement} a card, or the search field
 */
function neighbour(from, key) {
  const cards = visible();
  const at = cards.indexOf(from);
  const across = cards.filter((card) => card.offsetTop === cards[0].offsetTop).length;
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across };
  const to = key === "Home" ? 0 : key === "End" ? cards.length - 1 : at + steps[key];
  if (key === "ArrowUp" && to < 0) return search();
  return cards[Math.min(cards.length - 1, Math.max(0, to))];
}

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/** @param {KeyboardEvent} event */
function onSearchKey(event) {
  if (!["ArrowDown", "Enter"].includes(event.key)) return;
  wanted.text = search().value.trim(); // Dash reports the last typed letters a little later
  arrange();
  const first = visible()[0];
  if (!first) return;
  event.preventDefault();
  if (event.key === "Enter") choose(first.card.value);
  else first.focus();
}

/**
 * @param {KeyboardEvent} event
 * @param {CardElement} card
 */
function onCardKey(event, card) {
  const types = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (ARROWS.includes(event.key)) {
    event.preventDefault();
    neighbour(card, event.key).focus();
  } else if (types) search().focus(); // typing goes to the search
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  /** @type {CardElement | null} */
  const card = closest(event, ".card");
  if (event.target === search()) onSearchKey(event);
  else if (event.key === "/" && !closest(event, "input, select")) {
    event.preventDefault();
    search().focus();
  } else if (card) onCardKey(event, card);
}

/** @param {MouseEvent} event */
function onClick(event) {
  /** @type {CardElement | null} */
  const element = closest(event, ".card");
  if (element) choose(element.card.value);
  else if (event.target === dialog() || closest(event, "#instances-close")) close();
}

when(
  () => byId("instances-open") && dialog(),
  (place) => {
    place.addEventListener("keydown", onKey);
    place.addEventListener("click", onClick);
    for (const id of ["instances-open", "instance-picture"]) byId(id).addEventListener("click", open);
  },
);
export const instances = {
  open,
  close,
  choose,
  filter,
  /**
   * Mark the chosen instance; if the choice has changed, close the dialog.
   * @param {string} value of the menu
   */
  mark(value) {
    if (value === chosen) return;
    chosen = value;
    close();
    arrange();
  },
};
