/* The marks below the tour during a prediction: the start, and the items pointed at, picked and judged. */
import { answerColour, answerLetter } from "../../common/answer_letters.js";
import { edges } from "../../common/map/edges.js";
import { edgesAtPositions } from "./questions.js";

const DISC = 22; // diameter of a marked city in pixels
const WIDE = 11; // width of a marked edge in pixels
/** @typedef {{ colour: string, alpha: number }} Look */
/** @type {Record<"from" | "pointed" | "picked" | "right" | "wrong", Look>} */
const LOOKS = {
  from: { colour: "tour", alpha: 0.3 },
  pointed: { colour: "accent", alpha: 0.35 },
  picked: { colour: "accent", alpha: 0.6 },
  right: { colour: "added", alpha: 0.5 },
  wrong: { colour: "mute", alpha: 0.45 },
};

/**
 * @param {TourMap} map
 * @param {ArrayLike<number>} pairs
 * @param {Look} look
 * @returns {PaintedLine}
 */
const edgesIn = (map, pairs, look) => ({ line: edges.edgeLines(map.xy, pairs), width: WIDE, apart: true, ...look });

/**
 * @param {TourMap} map
 * @param {number[]} cities
 * @param {Look} look
 * @returns {PaintedLine}
 */
const citiesIn = ({ xy }, cities, look) => ({ line: edges.points(xy, cities), width: 0, dots: DISC, ...look });

/**
 * Make the marks of items of a question: edges of its tour by position, or cities.
 * @param {TourMap} map
 * @param {Question} question
 * @param {number[]} at
 * @param {Look} look
 */
const makeMarks = (map, question, at, look) =>
  question.kind === "edges" ? edgesIn(map, edgesAtPositions(question, at), look) : citiesIn(map, at, look);

/**
 * Return the marks while a question is open.
 * @param {TourMap} map
 * @param {Question} question
 * @param {number[]} picks
 * @param {number | null} pointed
 */
export function questionMarks(map, question, picks, pointed) {
  const from = question.kind === "city" ? [citiesIn(map, [question.from], LOOKS.from)] : [];
  const at = pointed === null || picks.includes(pointed) ? [] : [pointed];
  return [...from, makeMarks(map, question, at, LOOKS.pointed), makeMarks(map, question, picks, LOOKS.picked)];
}

/**
 * Return the marks after the answer: its right and its wrong parts.
 * @param {TourMap} map
 * @param {Question} question
 * @param {number[]} picks
 * @param {boolean} right whether the answer is right
 */
export function answerMarks(map, question, picks, right) {
  if (question.kind === "choice") return [];
  if (question.kind === "edge") return [edgesIn(map, picks, right ? LOOKS.right : LOOKS.wrong)];
  /** @param {number} at */
  const isRight = (at) => right || (question.kind === "edges" && [question.i, question.j].includes(at));
  return [
    makeMarks(map, question, picks.filter(isRight), LOOKS.right),
    makeMarks(
      map,
      question,
      picks.filter((at) => !isRight(at)),
      LOOKS.wrong,
    ),
  ];
}

/**
 * Make the marks of the answers to a question to the class, and a letter for each of their cities or edges.
 * @param {TourMap} map
 * @param {number[][]} answers the cities of each: one, or the ends of edges
 * @returns {[PaintedLine[], PlacedLetter[]]}
 */
export function makeLetterMarks(map, answers) {
  const lines = answers.map((cities, k) => {
    const look = { colour: answerColour(k), alpha: 0.55 };
    return cities.length === 1 ? citiesIn(map, cities, look) : edgesIn(map, cities, look);
  });
  const letters = answers.flatMap((cities, k) =>
    [cities.slice(0, 2), cities.slice(2)]
      .filter((ends) => ends.length)
      .map((ends) => ({ cities: ends, letter: answerLetter(k) })),
  );
  return [lines, letters];
}
