/* Diagrams of Held-Karp: the sets of each layer, and the warp or thread that processes each. */
import { svg } from "./svg.js";
import { text } from "./texts.js";

const OTHERS = 6; // number of cities besides the first
const WORKERS = 4;
const WIDTH = 440;

/**
 * Return all sets of `size` out of `from` cities as bit masks, in ascending order.
 * @param {number} from
 * @param {number} size
 */
const listSets = (from, size) =>
  [...Array(2 ** from).keys()].filter((set) => set.toString(2).replaceAll("0", "").length === size);

/**
 * Divide the layers into steps: a step is the simultaneous work of all workers, and no step spans two layers.
 * @param {number[][]} layers sets of each layer
 * @returns {{ layer: number, sets: number[] }[]}
 */
export const steps = (layers) =>
  layers.flatMap((sets, layer) =>
    Array.from({ length: Math.ceil(sets.length / WORKERS) }, (_, k) => ({
      layer,
      sets: sets.slice(k * WORKERS, (k + 1) * WORKERS),
    })),
  );

/**
 * Show one warp per set of outer cities, for half of the layers; in the last one, only sets with the first outer city.
 */
function cuda() {
  const half = OTHERS / 2;
  const layers = Array.from({ length: half + 1 }, (_, size) => listSets(OTHERS, size));
  const all = steps(layers.map((sets, size) => (size === half ? sets.filter((set) => set & 1) : sets)));
  /** @param {number} set @param {number} layer */
  const setPlace = (set, layer) => ({
    x: WIDTH / 2 + 10 + (layers[layer].indexOf(set) - (layers[layer].length - 1) / 2) * 20.5,
    y: 30 + layer * 46,
  });
  return {
    width: WIDTH,
    height: 262,
    frames: all.length,
    pace: 900,
    /** @param {number} frame */
    draw(frame) {
      const done = new Set(all.slice(0, frame).flatMap(({ layer, sets }) => sets.map((set) => `${layer} ${set}`)));
      const { layer: here, sets: now } = all[frame];
      const shapes = layers.flatMap((sets, layer) =>
        sets.flatMap((set) => {
          const { x, y } = setPlace(set, layer);
          const worker = layer === here ? now.indexOf(set) : -1;
          const kind = worker >= 0 ? `t${worker}` : done.has(`${layer} ${set}`) ? "done-set" : "cell";
          return [
            svg.rect(x - 9, y - 11, 18, 22, layer === half && !(set & 1) ? "cell gone" : kind),
            ...(worker >= 0 ? [svg.label(x, y + 4, worker, "on small")] : []),
          ];
        }),
      );
      const next = now.flatMap((set, worker) =>
        here === half
          ? []
          : [...Array(OTHERS).keys()]
              .filter((city) => !(set & (2 ** city)))
              .map((city) => {
                const [from, to] = [setPlace(set, here), setPlace(set | (2 ** city), here + 1)];
                return svg.line(from.x, from.y + 11, to.x, to.y - 11, `t${worker} looks`);
              }),
      );
      const lanes = Array.from({ length: 32 }, (_, lane) => svg.rect(20 + (lane % 32) * 12.6, 222, 10.6, 18, "t0"));
      return [
        ...next,
        ...shapes,
        ...layers.map((_, layer) => svg.label(12, 34 + layer * 46, layer, "axis")),
        ...lanes,
        svg.label(WIDTH / 2, 256, text("diagram.inner"), "axis small"),
      ];
    },
    /** @param {number} frame */
    say: (frame) => text(all[frame].layer === half ? "diagram.meet" : "diagram.outer", { size: all[frame].layer }),
  };
}

/** Show one thread per state: a block for each last city, with successive sets of the other cities (`batch_cuda`). */
function qinHan() {
  const layers = Array.from({ length: OTHERS }, (_, size) => listSets(OTHERS - 1, size));
  const all = steps(layers);
  const starts = layers.map((_, size) => layers.slice(0, size).reduce((sum, sets) => sum + sets.length, 0));
  return {
    width: WIDTH,
    height: 322,
    frames: all.length,
    pace: 900,
    /** @param {number} frame */
    draw(frame) {
      const before = starts[all[frame].layer];
      const shapes = [];
      for (let city = 0; city < OTHERS; city++) {
        const x = 40 + city * 66;
        shapes.push(svg.label(x + 26, 14, text("diagram.last", { city: city + 2 }), "axis small"));
        layers.forEach((sets, layer) => {
          sets.forEach((set, k) => {
            const y = 22 + (starts[layer] + k) * 8.4 + layer * 5;
            const worker = layer === all[frame].layer ? all[frame].sets.indexOf(set) : -1;
            const passed = layer < all[frame].layer || (layer === all[frame].layer && set < all[frame].sets[0]);
            const read = layer === all[frame].layer - 1;
            shapes.push(
              svg.rect(x, y, 52, 7, worker >= 0 ? `t${worker}` : read ? "read" : passed ? "done-set" : "cell"),
            );
          });
        });
      }
      layers.forEach((_, layer) => {
        shapes.push(svg.label(16, 30 + starts[layer] * 8.4 + layer * 5, layer, "axis small"));
      });
      return before < 0 ? [] : shapes;
    },
    /** @param {number} frame */
    say: (frame) => text("diagram.states", { size: all[frame].layer }),
  };
}

/** @type {Record<string, () => Scene>} */
export const layers = { cuda, "qin-han": qinHan };
