/* Diagrams of ideas: a move, a choice, a state. */
import { format } from "../common/format.js";
import { ants } from "./ants.js";
import { points, svg } from "./svg.js";
import { text } from "./texts.js";

const WIDTH = 440;

/** Show how two crossing edges are removed, two others are added, and the path between them is reversed. */
function move() {
  const around = points("120,30 60,60 40,120 110,165 210,150");
  const back = points("320,165 400,130 390,60 310,28 220,50");
  const [a, b, c, d] = [around[4], back[4], back[0], around[0]];
  /** @type {[number[], string, number, number][]} */
  const names = [
    [a, "a", -4, 20],
    [b, "b", 4, -12],
    [c, "c", 0, 22],
    [d, "d", 4, -12],
  ];
  const sentence = [text("diagram.crossing"), text("diagram.leave"), text("diagram.enter"), text("diagram.turned")];
  return {
    width: WIDTH,
    height: 195,
    frames: 4,
    pace: 1800,
    /** @param {number} frame */
    draw: (frame) => [
      svg.path(around, "edge"),
      svg.path(back, frame === 3 ? "edge turned" : "edge"),
      ...(frame < 2 ? [svg.line(a[0], a[1], b[0], b[1], frame ? "edge out" : "edge")] : []),
      ...(frame < 2 ? [svg.line(c[0], c[1], d[0], d[1], frame ? "edge out" : "edge")] : []),
      ...(frame > 1 ? [svg.line(a[0], a[1], c[0], c[1], frame === 2 ? "edge in" : "edge")] : []),
      ...(frame > 1 ? [svg.line(b[0], b[1], d[0], d[1], frame === 2 ? "edge in" : "edge")] : []),
      ...[...around, ...back].map(([x, y]) => svg.dot(x, y, 4.5, "city solid")),
      ...names.map(([[x, y], name, dx, dy]) => svg.label(x + dx, y + dy, name, "name")),
    ],
    /** @param {number} frame */
    say: (frame) => sentence[frame],
  };
}

/** Show the acceptance rate of longer tours at three temperatures. */
function uphill() {
  const temperatures = [60, 20, 6];
  const longer = [0, 10, 20, 30, 40, 60, 80];
  return {
    width: WIDTH,
    height: 190,
    frames: temperatures.length,
    pace: 2000,
    /** @param {number} frame */
    draw: (frame) =>
      longer.flatMap((delta, k) => {
        const chance = Math.exp(-delta / temperatures[frame]);
        const x = 30 + k * 57;
        return [
          svg.rect(x, 150 - 118 * chance, 38, 118 * chance + 2, "t0"),
          svg.label(x + 19, 144 - 118 * chance, chance > 0.995 ? "1" : format.fixed(chance, 2), "small"),
          svg.label(x + 19, 170, `+${delta}`, "axis"),
        ];
      }),
    /** @param {number} frame */
    say: (frame) => text("diagram.temperature", { temperature: temperatures[frame] }),
  };
}

/**
 * Show how an ant weighs its unvisited cities.
 * @param {boolean} exploits whether the ant mostly takes the best city
 * @returns {() => Scene}
 */
const choice = (exploits) => () => {
  const visited = [0, 1, 10];
  const city = 10;
  const open = [...ants.cities.keys()].filter((other) => !visited.includes(other));
  const weights = open.map((other) => ants.weight(city, other));
  const sum = weights.reduce((total, share) => total + share, 0);
  const best = open[weights.indexOf(Math.max(...weights))];
  const drawn = open[weights.indexOf([...weights].sort((one, other) => other - one)[1])];
  const ways = exploits ? [-1, best, drawn] : [-1, drawn];
  const sentence = exploits
    ? [text("diagram.weigh"), text("diagram.exploit", { best }), text("diagram.explore", { drawn })]
    : [text("diagram.weigh"), text("diagram.draw", { best, drawn })];
  return {
    width: WIDTH,
    height: 145,
    frames: ways.length,
    pace: 2000,
    draw(frame) {
      const chosen = ways[frame];
      const [x0, y0] = ants.cities[city];
      return [
        svg.path(
          visited.map((visit) => ants.cities[visit]),
          "way",
        ),
        ...open.map((each, k) => {
          const share = weights[k] / sum;
          const [x, y] = ants.cities[each];
          /** @type {Shape} */
          const edge = [
            "line",
            {
              x1: x0,
              y1: y0,
              x2: x,
              y2: y,
              class: each === chosen ? "edge in" : "fan",
              "stroke-width": 1 + 14 * share,
            },
          ];
          return edge;
        }),
        ...ants.cities.map(([x, y], each) =>
          svg.dot(x, y, 9, each === city ? "city here" : visited.includes(each) ? "city gone" : "city"),
        ),
        ...ants.cities.map(([x, y], each) => svg.label(x, y + 4, ants.cityNumber(each), "number")),
        ...(frame
          ? []
          : open.map((each, k) =>
              svg.label(
                ants.cities[each][0],
                ants.cities[each][1] + 22,
                `${Math.round((100 * weights[k]) / sum)} %`,
                "small",
              ),
            )),
      ];
    },
    say: (frame) => sentence[frame],
  };
};

/** Show pheromone between its limits, iteration by iteration. */
function limits() {
  const [low, high, rho] = [16, 120, 0.3];
  const chosen = [true, false, true, false, false, true, false, true];
  return {
    width: WIDTH,
    height: 175,
    frames: 9,
    pace: 800,
    /** @param {number} frame */
    draw: (frame) => [
      svg.line(20, 150 - high, 420, 150 - high, "limit"),
      svg.line(20, 150 - low, 420, 150 - low, "limit"),
      svg.label(398, 150 - high - 6, "\u03c4 max", "axis"),
      svg.label(398, 150 - low - 5, "\u03c4 min", "axis"),
      ...chosen.map((rewarded, k) => {
        let trail = high;
        for (let each = 0; each < frame; each++) {
          const reward = rewarded && (each + k) % 4 ? rho * high : 0;
          trail = Math.min(high, Math.max(low, trail * (1 - rho) + reward));
        }
        return svg.rect(34 + k * 44, 150 - trail, 28, trail, rewarded ? "t1" : "t0 done");
      }),
      svg.label(210, 169, text("diagram.edges"), "axis"),
    ],
    /** @param {number} frame */
    say: (frame) => text("diagram.after", { count: frame }),
  };
}

/** @param {number[][]} points */
const formatLength = (points) =>
  Math.round(points.slice(1).reduce((sum, [x, y], k) => sum + Math.hypot(x - points[k][0], y - points[k][1]), 0) / 2);

/** Show two paths through the same cities to the same end, the longer of which is dropped. */
function state() {
  const [start, a, b, end] = points("40,100 140,48 205,160 290,80");
  const rest = points("350,40 410,90 350,155");
  const [long, short] = [
    [start, b, a, end],
    [start, a, b, end],
  ];
  const sentence = [
    text("diagram.one-path"),
    text("diagram.other-path"),
    text("diagram.forgotten"),
    text("diagram.goes-on"),
  ];
  return {
    width: WIDTH,
    height: 200,
    frames: 4,
    pace: 2200,
    /** @param {number} frame */
    draw: (frame) => [
      svg.rect(106, 10, 214, 180, "tile"),
      svg.label(122, 30, "S", "name"),
      ...(frame === 0 || frame === 2 ? [svg.path(long, frame ? "edge out" : "edge")] : []),
      ...(frame ? [svg.path(short, frame === 2 ? "edge in" : "edge")] : []),
      ...(frame === 3 ? [svg.path([end, ...rest, start], "edge later")] : []),
      ...[start, a, b, end, ...rest].map(([x, y]) => svg.dot(x, y, 5, "city solid")),
      svg.label(start[0], start[1] + 22, "1", "name"),
      svg.label(end[0] + 10, end[1] + 18, "l", "name variable"),
      ...(frame === 0 || frame === 2 ? [svg.label(262, 178, formatLength(long), frame ? "name out" : "name")] : []),
      ...(frame ? [svg.label(262, 32, formatLength(short), frame === 2 ? "name in" : "name")] : []),
    ],
    /** @param {number} frame */
    say: (frame) => sentence[frame],
  };
}

/**
 * Show the parents, the cycles in which their edges alternate, and the child that results from exchanging one cycle.
 */
function child() {
  const order = [0, 2, 1, 3, 4, 5, 6, 7, 8, 9]; // the child
  const around = points("150,150 60,120 70,50 160,25 225,35 290,25 375,50 385,125 295,155 225,140");
  const parents = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [0, 2, 1, 3, 4, 5, 7, 6, 8, 9],
  ].map(tourEdges);
  const [onlyInA, onlyInB] = [0, 1].map((k) => parents[k].filter((edge) => !parents[1 - k].includes(edge)));
  const sentence = [text("diagram.parent-a"), text("diagram.parent-b"), text("diagram.cycle"), text("diagram.child")];
  /** @param {string[]} edges @param {string} kind */
  const lines = (edges, kind) =>
    edges.map((edge) => {
      const [[x1, y1], [x2, y2]] = edge.split(" ").map((city) => around[order.indexOf(Number(city))]);
      return svg.line(x1, y1, x2, y2, kind);
    });
  /** @param {number} frame */
  const edges = (frame) => {
    if (frame < 2) return lines(parents[frame], "edge");
    if (frame === 2) return [...lines(onlyInA, "edge out"), ...lines(onlyInB, "edge in")];
    return lines(tourEdges(order), "edge");
  };
  return {
    width: WIDTH,
    height: 180,
    frames: 4,
    pace: 2000,
    /** @param {number} frame */
    draw: (frame) => [...edges(frame), ...around.map(([x, y]) => svg.dot(x, y, 5, "city solid"))],
    /** @param {number} frame */
    say: (frame) => sentence[frame],
  };
}

/** @param {number[]} tour */
const tourEdges = (tour) =>
  tour.map((city, k) => [city, tour[(k + 1) % tour.length]].sort((one, other) => one - other).join(" "));

export const ideas = { child, choice, limits, move, state, uphill };
