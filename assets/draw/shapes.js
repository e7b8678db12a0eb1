/* Shapes to start a drawing: cities on a circle, in a grid, in clusters, on a spiral, in letters. */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {"circle" | "grid" | "clusters" | "spiral" | "letters"} Shape */

const SIDE = 1000; // side of the square to draw on
const RIM = 80; // margin around a shape
const ROUNDS = 12; // rounds in which cities spread over the letters
const LETTERS = { width: 240, height: 120 }; // pixels of the canvas for letters

/** Round points along a shape to whole units, y upwards. @param {Point[]} points */
const roundPoints = (points) => points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));

/** @param {number} n */
function circle(n) {
  const radius = SIDE / 2 - RIM;
  return Array.from({ length: n }, (_, k) => {
    const angle = (2 * Math.PI * k) / n;
    return { x: SIDE / 2 + radius * Math.cos(angle), y: SIDE / 2 + radius * Math.sin(angle) };
  });
}

/** Return rows of points from the top; the last row may be shorter. @param {number} n */
function grid(n) {
  const across = Math.ceil(Math.sqrt(n));
  const step = (SIDE - 2 * RIM) / Math.max(1, across - 1);
  return Array.from({ length: n }, (_, k) => ({
    x: RIM + step * (k % across),
    y: SIDE - RIM - step * Math.floor(k / across),
  }));
}

/** Return an Archimedean spiral with equally spaced points. @param {number} n */
function spiral(n) {
  const radius = SIDE / 2 - RIM;
  const turns = Math.max(1, Math.sqrt(n) / 3);
  return Array.from({ length: n }, (_, k) => {
    const share = Math.sqrt((k + 0.5) / n);
    const angle = 2 * Math.PI * turns * share;
    return { x: SIDE / 2 + radius * share * Math.cos(angle), y: SIDE / 2 + radius * share * Math.sin(angle) };
  });
}

/**
 * Return normally distributed clusters around random centres.
 * @param {number} n
 * @param {() => number} random returns 0 to 1
 */
function clusters(n, random) {
  const count = Math.max(2, Math.round(Math.sqrt(n) / 2));
  const inside = () => 2 * RIM + (SIDE - 4 * RIM) * random();
  const centres = Array.from({ length: count }, () => ({ x: inside(), y: inside() }));
  const spread = SIDE / (4 * count);
  const clamp = (/** @type {number} */ value) => Math.min(SIDE, Math.max(0, value));
  return Array.from({ length: n }, (_, k) => {
    const { x, y } = centres[k % count];
    const far = spread * Math.sqrt(-2 * Math.log(1 - random())); // Box-Muller transform
    const angle = 2 * Math.PI * random();
    return { x: clamp(x + far * Math.cos(angle)), y: clamp(y + far * Math.sin(angle)) };
  });
}

/**
 * Spread points over the ink: each point moves to the centre of the ink that is closer to it than to any other point
 * (Lloyd's method).
 * @param {number} n
 * @param {Point[]} ink
 * @param {() => number} random
 */
function spreadOver(n, ink, random) {
  let points = Array.from({ length: n }, () => ink[Math.floor(random() * ink.length)]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const sums = points.map(() => ({ x: 0, y: 0, count: 0 }));
    for (const { x, y } of ink) {
      let [nearest, least] = [0, Infinity];
      points.forEach((point, k) => {
        const far = (point.x - x) ** 2 + (point.y - y) ** 2;
        if (far < least) [nearest, least] = [k, far];
      });
      const sum = sums[nearest];
      Object.assign(sum, { x: sum.x + x, y: sum.y + y, count: sum.count + 1 });
    }
    points = sums.map(({ x, y, count }) =>
      count ? { x: x / count, y: y / count } : ink[Math.floor(random() * ink.length)],
    );
  }
  return points;
}

/**
 * Return the inked pixels of letters, y downwards.
 * @param {string} words
 * @returns {Point[]}
 */
function letterPixels(words) {
  const { width, height } = LETTERS;
  const canvas = Object.assign(document.createElement("canvas"), LETTERS);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen || !words.trim()) return [];
  Object.assign(pen, { font: `700 ${height * 0.8}px Inter, sans-serif`, textAlign: "center", textBaseline: "middle" });
  pen.fillText(words.trim(), width / 2, height / 2, width);
  const { data } = pen.getImageData(0, 0, width, height);
  const ink = [];
  for (let k = 0; k < width * height; k += 1)
    if (data[4 * k + 3] > 127) ink.push({ x: k % width, y: Math.floor(k / width) });
  return ink;
}

/**
 * Return points spread over the ink, scaled up to the size of the square, y upwards.
 * @param {number} n
 * @param {Point[]} ink
 * @param {() => number} random
 */
export function letters(n, ink, random) {
  if (!ink.length) return [];
  const points = spreadOver(n, ink, random);
  const [xs, ys] = [ink.map(({ x }) => x), ink.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const scale = (SIDE - 2 * RIM) / Math.max(1, right - left, bottom - top);
  return points.map(({ x, y }) => ({
    x: SIDE / 2 + scale * (x - (left + right) / 2),
    y: SIDE / 2 - scale * (y - (top + bottom) / 2),
  }));
}

/**
 * Make the cities of a shape, at whole coordinates of the square.
 * @param {Shape} shape
 * @param {number} n
 * @param {string} words text for letters
 * @param {() => number} [random]
 * @returns {Point[]} empty for letters without text
 */
export function makeShape(shape, n, words, random = Math.random) {
  if (shape === "letters") return roundPoints(letters(n, letterPixels(words), random));
  if (shape === "clusters") return roundPoints(clusters(n, random));
  return roundPoints({ circle, grid, spiral }[shape](n));
}
