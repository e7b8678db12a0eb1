/* Diagrams of ants: which lane or thread reads which city, and how the next one is chosen. */
import { points, svg } from "./svg.js";
import { text } from "./texts.js";

const CITIES = points("40,40 105,22 178,34 255,20 330,42 402,28 398,96 318,112 240,88 168,116 96,92 30,108");
const N = CITIES.length;
const LANES = 8;
const WIDTH = 440;
const TOP = 150; // top of the lanes
const BOX = 52;
const STEPS = 4; // number of an ant's steps
const BETA = 2;

/**
 * Return the weight of an edge without pheromone: the shorter the edge, the larger its weight.
 * @param {number} a
 * @param {number} b
 */
const weight = (a, b) => (60 / Math.hypot(CITIES[a][0] - CITIES[b][0], CITIES[a][1] - CITIES[b][1])) ** BETA;

/**
 * Return a number from 0 to 1 that looks random but depends only on k.
 * @param {number} k
 */
const uniform = (k) => (Math.imul(k + 7, 2654435761) >>> 8) / 2 ** 24;

/**
 * Return the number of a city for readers, counted from 1.
 * @param {number} city
 */
const cityNumber = (city) => String(city + 1);

/** @param {number} city */
const nearest = (city) =>
  [...CITIES.keys()].filter((other) => other !== city).sort((a, b) => weight(city, b) - weight(city, a));

/** @typedef {{ lane: number, name: string, cities: number[], key: number, gone: boolean }} Lane */
/** @typedef {{ city: number, visited: number[], lanes: Lane[], winner: number, next: number }} Choice */
/** How the lanes of a kernel share a choice, and which lane wins. */
/** @typedef {(city: number, visited: number[], step: number) => Pick<Choice, "lanes" | "winner" | "next">} Rule */

/** @param {Lane[]} lanes */
const findGreatest = (lanes) => lanes.reduce((best, { key }, k) => (key > lanes[best].key ? k : best), 0);

/**
 * Give each lane one of the nearest cities; the last lane represents all other cities (`walk_warp_cuda`).
 * @param {boolean} drawn whether lanes race with random numbers; else the largest weight wins
 * @returns {Rule}
 */
const byWarp = (drawn) => (city, visited, step) => {
  const near = nearest(city);
  const lanes = Array.from({ length: LANES }, (_, lane) => {
    const last = lane === LANES - 1;
    const cities = last ? near.slice(lane) : [near[lane]];
    const gone = !last && visited.includes(near[lane]);
    const weights = cities.map((other) => weight(city, other));
    const all = drawn ? weights.reduce((sum, amount) => sum + amount, 0) : Math.max(...weights);
    // as in most steps, one of the nearest cities wins
    const time = drawn ? (last ? 8 : -Math.log(0.02 + 0.96 * uniform(step * LANES + lane))) : 1;
    return {
      lane,
      name: last ? text("diagram.others") : cityNumber(near[lane]),
      cities,
      key: gone ? 0 : all / time,
      gone,
    };
  });
  const winner = findGreatest(lanes);
  return { lanes, winner, next: lanes[winner].cities[0] };
};

/**
 * Give each thread the cities whose numbers have the same remainder (`walk_block_cuda`, `walk_queen_cuda`).
 * @param {number} threads
 * @param {boolean} drawn
 * @returns {Rule}
 */
const byRemainder = (threads, drawn) => (city, visited, step) => {
  const lanes = Array.from({ length: threads }, (_, lane) => {
    const cities = [...CITIES.keys()].filter((other) => other % threads === lane);
    const open = cities.filter((other) => !visited.includes(other));
    const weights = open.map((other) => weight(city, other));
    const key = drawn ? weights.reduce((sum, each) => sum + each, 0) : Math.max(0, ...weights);
    return { lane, name: cities.map(cityNumber).join(" "), cities: open, key, gone: open.length === 0 };
  });
  const upto = lanes.map((_, k) => lanes.slice(0, k + 1).reduce((sum, { key }) => sum + key, 0));
  const chosenThread = upto.findIndex((sum) => sum > uniform(step + 3) * upto[threads - 1]);
  const winner = drawn ? Math.max(0, chosenThread) : findGreatest(lanes);
  const [next] = [...lanes[winner].cities].sort((a, b) => weight(city, b) - weight(city, a));
  return { lanes, winner, next };
};

/**
 * Show a single thread that reads all unvisited cities, one after another (`walk_worker_cuda`).
 * @type {Rule}
 */
const showSingleThread = (city, visited, step) => {
  const { winner: _, ...rest } = byRemainder(1, true)(city, visited, step);
  const idle = Array.from({ length: LANES - 1 }, (_each, k) => ({
    lane: k + 1,
    name: text("diagram.idle"),
    cities: [],
    key: 0,
    gone: true,
  }));
  const first = { ...rest.lanes[0], name: text("diagram.all") };
  return { next: rest.next, winner: 0, lanes: [first, ...idle] };
};

/**
 * @param {Rule} rule
 * @returns {Choice[]}
 */
function choices(rule) {
  const sequence = [];
  let city = 0;
  let visited = [0];
  for (let step = 0; step < STEPS; step++) {
    const choice = rule(city, visited, step);
    sequence.push({ city, visited, ...choice });
    city = choice.next;
    visited = [...visited, city];
  }
  return sequence;
}

/** @param {Choice} choice */
function drawMap({ city, visited }) {
  /** @param {number} other */
  const kind = (other) => (other === city ? "city here" : visited.includes(other) ? "city gone" : "city");
  const way = visited.map((each) => CITIES[each]);
  return [
    svg.path(way, "way"),
    ...CITIES.flatMap(([x, y], each) => [
      svg.dot(x, y, 9, kind(each)),
      svg.label(x, y + 4, cityNumber(each), "number"),
    ]),
  ];
}

/**
 * @param {Choice} choice
 * @param {number} phase 0: the cities are read; 1: keys are made; 2: one wins
 */
function drawLanes({ city, lanes, winner, next }, phase) {
  const width = Math.min(BOX, (WIDTH - 16) / lanes.length);
  const most = Math.max(...lanes.map(({ key }) => key));
  const [x0, y0] = CITIES[city];
  return lanes.flatMap(({ name, cities, key, gone }, k) => {
    const x = 8 + k * width;
    const wins = phase === 2 && k === winner;
    const colour = `t${k % LANES}`;
    const looks = phase < 2 && !gone ? cities : wins ? [next] : [];
    const height = phase && most ? Math.max(key ? 3 : 0, (56 * key) / most) : 0;
    return [
      ...looks.map((each) => svg.line(x0, y0, CITIES[each][0], CITIES[each][1], `${colour} ${wins ? "won" : "looks"}`)),
      svg.rect(x + 1, TOP, width - 2, 92, wins ? `box ${colour}` : gone ? "box idle" : "box"),
      svg.label(
        x + width / 2,
        TOP + 16,
        lanes.length > LANES ? k : text("diagram.lane", { lane: k }),
        wins ? "on" : "axis",
      ),
      ...(height
        ? [svg.rect(x + width / 2 - 7, TOP + 74 - height * 0.8, 14, height * 0.8, wins ? "bar on" : colour)]
        : []),
      svg.label(x + width / 2, TOP + 86, name, wins ? "on small" : gone ? "axis small" : "small"),
    ];
  });
}

/**
 * @param {Rule} rule
 * @param {string} reads description of the first phase
 * @param {string} finds description of how the winner is found
 * @returns {() => Scene}
 */
const antScene = (rule, reads, finds) => () => {
  const all = choices(rule);
  return {
    width: WIDTH,
    height: 250,
    frames: 3 * STEPS,
    pace: 1200,
    draw(frame) {
      const choice = all[Math.floor(frame / 3)];
      const lanes = drawLanes(choice, frame % 3);
      return [
        ...lanes.filter(([name]) => name === "line"),
        ...drawMap(choice),
        ...lanes.filter(([name]) => name !== "line"),
      ];
    },
    say: (frame) =>
      [reads, finds, text("diagram.goes", { city: cityNumber(all[Math.floor(frame / 3)].next) })][frame % 3],
  };
};

/** Show one colony per block and one ant per thread, which reads its row alone (`walk_colony_cuda`). */
function colonies() {
  const blocks = 3;
  const ants = 4;
  const frames = N + 1;
  const [left, cell] = [76, 26];
  return {
    width: WIDTH,
    height: 300,
    frames,
    pace: 500,
    /** @param {number} frame */
    draw: (frame) =>
      Array.from({ length: blocks * ants }, (_, k) => {
        const [colony, ant] = [Math.floor(k / ants), k % ants];
        const y = 18 + colony * 96 + ant * 20;
        const isVisited = (/** @type {number} */ city) => uniform(k * N + city) < 0.4;
        const drawn = [...CITIES.keys()].filter((city) => !isVisited(city))[ant % 3];
        return [
          ...(ant ? [] : [svg.label(220, y - 6, text("diagram.colony", { colony }), "axis")]),
          svg.label(38, y + 13, text("diagram.ant", { ant }), "axis"),
          ...CITIES.map((_city, city) => {
            const now = city === frame || (frame === N && city === drawn);
            const kind = isVisited(city) ? "cell gone" : now ? `t${ant}` : city < frame ? `t${ant} done` : "cell";
            return svg.rect(left + city * cell, y, cell - 2, 17, kind);
          }),
        ];
      }).flat(),
    /** @param {number} frame */
    say: (frame) => (frame < N ? text("diagram.row", { city: cityNumber(frame) }) : text("diagram.drawn")),
  };
}

const lanes = text("diagram.read-lanes");
const threads = text("diagram.read-threads");
const race = antScene(byWarp(true), lanes, text("diagram.race"));

export const ants = {
  antSystem: {
    warp: race,
    block: antScene(byRemainder(LANES, true), threads, text("diagram.sums")),
    worker: antScene(showSingleThread, text("diagram.read-alone"), text("diagram.sums")),
    queen: antScene(byRemainder(N, true), text("diagram.read-city"), text("diagram.sums")),
  },
  maxMin: { warp: race, bai: colonies },
  colonySystem: {
    warp: antScene(byWarp(false), lanes, text("diagram.greatest")),
    block: antScene(byRemainder(LANES, false), threads, text("diagram.greatest")),
  },
  cities: CITIES,
  cityNumber,
  weight,
};
