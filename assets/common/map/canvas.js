/* Drawing on canvases: contexts, and lines with gaps as made by `edges.js`. */
/**
 * Clear a canvas and return its context in CSS pixels, as sharp as the screen.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function preparePen(canvas, width, height) {
  const sharp = window.devicePixelRatio || 1;
  const [across, up] = [Math.round(width * sharp), Math.round(height * sharp)];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== up) canvas.height = up;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")); // no canvas has another context
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  return pen;
}

/**
 * Draw a line through places on a map, transformed by {scale, ratio, x, y}: x -> x + scale * x, y -> y - scale * ratio
 * * y.
 * @param {CanvasRenderingContext2D} pen
 * @param {Line} line
 * @param {Place} place
 * @param {boolean} [apart] whether to paint each piece separately
 */
export function stroke(pen, line, { scale, ratio, x, y }, apart = false) {
  let joined = false;
  pen.beginPath();
  for (let k = 0; k < line.x.length; k += 1) {
    if (Number.isNaN(line.x[k]))
      joined = false; // NaN is a gap
    else {
      const [across, up] = [x + scale * line.x[k], y - scale * ratio * line.y[k]];
      if (joined) pen.lineTo(across, up);
      else {
        if (apart) {
          pen.stroke();
          pen.beginPath();
        }
        pen.moveTo(across, up);
      }
      joined = true;
    }
  }
  pen.stroke();
}

/**
 * Draw a disc at each point of a line, in the pen's current colour.
 * @param {CanvasRenderingContext2D} pen
 * @param {Line} line
 * @param {Place} place
 * @param {number} size diameter, pixels
 */
export function discs(pen, line, { scale, ratio, x, y }, size) {
  pen.fillStyle = pen.strokeStyle;
  for (let k = 0; k < line.x.length; k += 1) {
    if (Number.isNaN(line.x[k])) continue;
    pen.beginPath();
    pen.arc(x + scale * line.x[k], y - scale * ratio * line.y[k], size / 2, 0, 2 * Math.PI);
    pen.fill();
  }
}

/**
 * Fill the union of discs, whose radii are in map units, in the pen's current colour.
 * @param {CanvasRenderingContext2D} pen
 * @param {Line} line their centres
 * @param {Place} place
 * @param {ArrayLike<number>} radii
 * @param {number} less pixels by which each disc is shrunk
 */
export function fillUnion(pen, line, { scale, ratio, x, y }, radii, less) {
  pen.fillStyle = pen.strokeStyle;
  pen.beginPath();
  for (let k = 0; k < radii.length; k += 1) {
    const [across, up, radius] = [x + scale * line.x[k], y - scale * ratio * line.y[k], scale * radii[k] - less];
    if (radius <= 0) continue;
    pen.moveTo(across + radius, up);
    pen.ellipse(across, up, radius, ratio * radius, 0, 0, 2 * Math.PI);
  }
  pen.fill();
}

/**
 * Draw an arrowhead in the middle of each edge that is long enough, in the pen's current colour.
 * @param {CanvasRenderingContext2D} pen
 * @param {Line} line
 * @param {Place} place
 * @param {number} size of a head, pixels
 */
export function heads(pen, line, { scale, ratio, x, y }, size) {
  pen.fillStyle = pen.strokeStyle;
  pen.beginPath();
  for (let k = 1; k < line.x.length; k += 1) {
    const [dx, dy] = [scale * (line.x[k] - line.x[k - 1]), -scale * ratio * (line.y[k] - line.y[k - 1])];
    const long = Math.hypot(dx, dy);
    if (!(long >= 3 * size)) continue; // also false for NaN beside a gap
    const [ux, uy] = [(dx / long) * size, (dy / long) * size];
    const across = x + (scale * (line.x[k] + line.x[k - 1])) / 2;
    const up = y - (scale * ratio * (line.y[k] + line.y[k - 1])) / 2;
    pen.moveTo(across + ux / 2, up + uy / 2);
    pen.lineTo(across - ux / 2 - uy / 2, up - uy / 2 + ux / 2);
    pen.lineTo(across - ux / 2 + uy / 2, up - uy / 2 - ux / 2);
  }
  pen.fill();
}
