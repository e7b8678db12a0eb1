/* Arranges several drawings of the same shape in one picture. */

/**
 * Return the number of columns that makes the drawings as large as possible.
 * @param {number} count
 * @param {Room} room
 * @param {number} shape ratio of height to width of a drawing
 * @param {{ gap: number, head: number }} pixels gap between cells, and height of a cell's caption
 */
export function columnsFor(count, { width, height }, shape, { gap, head }) {
  const sides = Array.from({ length: count }, (_, k) => {
    const rows = Math.ceil(count / (k + 1));
    return Math.min((width - k * gap) / (k + 1), ((height - (rows - 1) * gap) / rows - head) / shape);
  });
  return 1 + sides.indexOf(Math.max(...sides));
}

/**
 * Return the cells from left to right and top to bottom, with their positions and sizes.
 * @param {number} count
 * @param {Room} room
 * @param {number} shape
 * @param {{ gap: number, head: number }} pixels
 * @returns {(Room & { x: number, y: number })[]}
 */
export function cellsIn(count, room, shape, pixels) {
  const across = columnsFor(count, room, shape, pixels);
  const rows = Math.ceil(count / across);
  const width = (room.width - (across - 1) * pixels.gap) / across;
  const height = (room.height - (rows - 1) * pixels.gap) / rows;
  return Array.from({ length: count }, (_, k) => ({
    x: (k % across) * (width + pixels.gap),
    y: Math.floor(k / across) * (height + pixels.gap),
    width,
    height,
  }));
}
