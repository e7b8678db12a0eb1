/*
 * Which edges of a very long tour are drawn. A random tour of 18,512 cities is eight times as long on the screen as
 * the canvas has pixels: a solid blot that takes 50 ms to paint. Of such a tour stretches around some fixed cities
 * are drawn. A 2-opt move leaves them as they are but for its four ends, so the picture is as calm as the whole one.
 */
const INK = 1.6e6; // pixels of line that are painted at most
const EVERY = 128; // one city in so many is the middle of a stretch
const GOLDEN = 0x9e3779b1; // Knuth's multiplicative hash: spreads such cities evenly over any numbering

/** @param {number} city */
const isMiddle = (city) => Math.imul(city, GOLDEN) >>> 0 < 2 ** 32 / EVERY;

/**
 * Length of a closed tour in units of the map, by the larger difference: as many pixels as a line has.
 * @param {Float64Array} xy
 * @param {Order} order
 * @param {number} ratio
 */
function inkOf(xy, order, ratio) {
  let ink = 0;
  for (let k = 0, before = order[order.length - 1]; k < order.length; k += 1) {
    const city = order[k];
    const across = Math.abs(xy[2 * city] - xy[2 * before]);
    const up = ratio * Math.abs(xy[2 * city + 1] - xy[2 * before + 1]);
    ink += Math.max(across, up);
    before = city;
  }
  return ink;
}

/**
 * The positions of `order` whose edge onwards is drawn, as bytes; null for all.
 * @param {TourMap} map
 * @param {Order} order
 * @param {number} scale pixels for each unit of the map
 */
function visibleEdges(map, order, scale) {
  const n = order.length;
  const share = INK / (scale * inkOf(map.xy, order, map.ratio));
  if (n <= 2000 || share >= 1) return null;
  const visible = new Uint8Array(n);
  const half = Math.max(1, Math.round((share * EVERY) / 2));
  for (let k = 0; k < n; k += 1) {
    if (!isMiddle(order[k])) continue;
    for (let step = -half; step < half; step += 1) visible[(k + step + n) % n] = 1;
  }
  return visible;
}

export { visibleEdges };
