/* Cards of instances, each with text and a picture. Names and comments from files are only inserted as text. */
import { element } from "../common/elements.js";
import { format } from "../common/format.js";
import { fetchCard } from "./data.js";
import { text } from "./texts.js";
import { thumbnail } from "./thumbnail.js";

const TAG = 20; // pixels reserved for the tag

/**
 * @param {string | null} kind
 * @param {string} words
 */
const span = (kind, words) => element("span", { class: kind }, words);

/** @param {(HTMLElement | null)[]} parts */
const line = (...parts) => element("span.card-line", ...parts);

/**
 * Return the label of a value in one of the dialog's menus.
 * @param {"kind" | "source"} menu
 * @param {string} value
 */
function findLabel(menu, value) {
  const option = document.querySelector(`#instances-${menu} option[value="${CSS.escape(value)}"]`);
  return option?.textContent || value;
}

/** @param {Card} card */
function optimum({ optimum: length, proven }) {
  if (length === null) return line(span(null, text("card.unsolved")));
  return line(span(null, text(proven ? "card.optimum" : "card.best")), span("figure", format.integer(length)));
}

/**
 * Fill a card's element with its data.
 * @param {HTMLElement} place
 * @param {Card} card
 */
function fill(place, card) {
  const { name, n, kind, source, comment, scaled, tour, directed, missing } = card;
  const canvas = element("canvas.thumbnail");
  const tag = element("span.tag", { title: text("card.scaled.why") }, text("card.scaled"));
  const tourMarks = tour ? [span("known long", text("card.tour")), span("known short", text("card.tour.short"))] : [];
  const origin = [source === "bundled" ? "" : findLabel("source", source), comment];
  place.replaceChildren(
    element("span.card-picture", canvas, scaled ? tag : null),
    line(element("bdi.card-name", name), span("figure", format.cities(n))),
    line(span(null, findLabel("kind", kind)), ...(directed ? [span(null, text("card.directed"))] : []), ...tourMarks),
    ...(missing ? [line(span(null, missing))] : []),
    optimum(card),
    element("bdi.card-origin", origin.filter(Boolean).join(" · ")),
  );
  place.title = [name, comment].filter(Boolean).join(": ");
  if (card.positions.length) thumbnail.show(canvas, { ...card, below: scaled ? TAG : 0 }); // the tag covers no city
}

// The picture of a file in the user's folder is requested when its card becomes visible.
const visibility = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) complete(/** @type {CardElement} */ (target));
});

/** @param {CardElement} place */
async function complete(place) {
  visibility.unobserve(place);
  const card = await fetchCard(place.card.reference);
  if (!("sentence" in card)) fill(place, card);
  else place.querySelector(".card-picture")?.replaceChildren(span("refusal", card.sentence));
}

/**
 * Make the element of a card; its property `card` holds the card's data.
 * @param {Card} card
 * @returns {CardElement}
 */
export function cardElement(card) {
  const node = element("button.card", { type: "button", role: "option", tabindex: -1 });
  const place = Object.assign(node, { card });
  fill(place, card);
  if (!card.positions.length) visibility.observe(place);
  return place;
}
