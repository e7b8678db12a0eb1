/*
 * Insertions: a path of cities moves elsewhere in the tour, in the same direction. A climb records each insertion as
 * three reversals, which exchange two adjacent stretches: one of both together, and one of each alone.
 */
import { REVERSALS } from "../climbs/climb.js";
import { text } from "../texts.js";
import { describeDifference, listCities, cityName, makeShade } from "./edges.js";
import { namedCities as endsOfMove, shadeMove } from "./two_opt.js";

const NAMED = 6; // maximum number of cities of a path that are all named

/**
 * Return the stretches that an insertion exchanges, and the rest of the tour, as cities in their order before the
 * insertion; null if the reversals do not form one.
 * @param {MovesClimb} climb
 * @param {number} first its first reversal, counted from 0
 */
function findStretches(climb, first) {
  const { i, j, n } = climb;
  if (first + REVERSALS > climb.count) return null;
  const [before, end, between] = [i[first], j[first], j[first + 1]];
  const exchanges = i[first + 1] === before && i[first + 2] === between && j[first + 2] === end;
  if (!exchanges || between <= before || end <= between) return null;
  const drawn = climb.position;
  const order = climb.seek(first);
  const one = before + 1 + end - between; // the start of the second stretch
  /**
   * @param {number} from
   * @param {number} count
   */
  const cities = (from, count) => Array.from({ length: count }, (_, k) => order[(from + k) % n]);
  const parts = [cities(before + 1, end - between), cities(one, between - before), cities(end + 1, n - (end - before))];
  climb.seek(drawn);
  return parts;
}

/**
 * Return the insertion that a reversal is part of; null where a move is a single reversal.
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
function findInsertion(map, climb, move) {
  const first = move - (move % REVERSALS);
  const parts = map.directed ? findStretches(climb, first) : null;
  if (!parts) return null;
  // Any of the three stretches of a tour can be seen as the one that moves; take the shortest.
  const at = parts.reduce((least, each, k) => (each.length < parts[least].length ? k : least), 0);
  const [path, next, previous] = [parts[at], parts[(at + 1) % 3], parts[(at + 2) % 3]];
  const delta = climb.lengths[first + REVERSALS] - climb.lengths[first];
  return { path, from: [previous.at(-1) ?? 0, next[0]], to: [next.at(-1) ?? 0, previous[0]], delta, first };
}

/**
 * Return the cities that a sentence on an insertion names: only the ends of a long path.
 * @param {NonNullable<ReturnType<typeof findInsertion>>} insertion
 */
const namedCities = ({ path, from, to }) => [
  ...(path.length > NAMED ? [path[0], path[path.length - 1]] : path),
  ...from,
  ...to,
];

/**
 * "Cities 5, 9 and 12 move from between 4 and 13 to between 30 and 31: 12 longer."
 * @param {TourMap} map
 * @param {NonNullable<ReturnType<typeof findInsertion>>} insertion
 */
function insertionSentence(map, { path, from, to, delta }) {
  const [a, b, c, d] = [...from, ...to].map((city) => cityName(map, city));
  const values = { a, b, c, d, change: describeDifference(delta) };
  if (path.length <= NAMED)
    return text("explain.insertion", { ...values, cities: listCities(map, path), count: path.length });
  const [first, last] = [path[0], path[path.length - 1]].map((city) => cityName(map, city));
  return text("explain.insertion.many", { ...values, count: path.length, first, last });
}

/**
 * Describe an insertion in one sentence, with its shades; null where a move is a single reversal.
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
function describeInsertion(map, climb, move) {
  const insertion = findInsertion(map, climb, move);
  if (!insertion) return null;
  const { first, delta } = insertion;
  const marking = { shades: insertionShades(map, insertion), cities: namedCities(insertion) };
  return { isInsertion: true, first, delta, sentence: insertionSentence(map, insertion), ...marking };
}

/**
 * Describe a move, with its shades, cities and first reversal; where edges have directions, it is an insertion.
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {(map: TourMap, climb: MovesClimb, move: number) => string} describe describes a move that is a single
 * reversal
 */
export function describeStep(map, climb, move, describe) {
  return (
    describeInsertion(map, climb, move) || {
      ...{ isInsertion: false, first: move, delta: climb.delta[move], sentence: describe(map, climb, move) },
      ...{ shades: shadeMove(map, climb, move), cities: endsOfMove(climb, move) },
    }
  );
}

/**
 * Return the shaded part: the path, with the cities between which it is inserted.
 * @param {TourMap} map
 * @param {NonNullable<ReturnType<typeof findInsertion>>} insertion
 */
const insertionShades = (map, { path, to: [left, right] }) => [makeShade(map, [left, ...path, right])];
