/* Shapes of diagrams. Style sheet classes define the colours: `t0` to `t7` are the threads'. */

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} kind its class
 * @returns {Shape}
 */
const rect = (x, y, width, height, kind) => ["rect", { x, y, width, height, rx: 3, class: kind }];

/**
 * @param {number} x of the text's middle
 * @param {number} y of the text's baseline
 * @param {string | number} words
 * @param {string} [kind]
 * @returns {Shape}
 */
const label = (x, y, words, kind = "") => ["text", { x, y, class: kind }, String(words)];

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {string} kind
 * @returns {Shape}
 */
const line = (x1, y1, x2, y2, kind) => ["line", { x1, y1, x2, y2, class: kind }];

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} r
 * @param {string} kind
 * @returns {Shape}
 */
const dot = (cx, cy, r, kind) => ["circle", { cx, cy, r, class: kind }];

/**
 * @param {number[][]} points
 * @param {string} kind
 * @returns {Shape}
 */
const path = (points, kind) => ["polyline", { points: points.map((point) => point.join(",")).join(" "), class: kind }];

/**
 * Parse the points in an attribute such as "40,40 105,22".
 * @param {string} listed
 */
export const points = (listed) => listed.split(" ").map((point) => point.split(",").map(Number));

export const svg = { dot, label, line, path, rect };
