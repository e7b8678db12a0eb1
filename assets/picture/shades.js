/* The darkness of a picture, as the server computes it before it places cities (`data/pictures/darkness.py`). */

const WEIGHTS = [0.299, 0.587, 0.114]; // weights of red, green and blue in a shade of grey

/**
 * Change pixels to the shades that determine the cities: stretch them from black to white, apply the contrast around
 * the middle, then optionally swap light and dark.
 * @param {Uint8ClampedArray} pixels red, green, blue and opacity of each pixel, drawn on white
 * @param {number} contrast
 * @param {boolean} invert
 */
export function shade(pixels, contrast, invert) {
  const grey = Float64Array.from({ length: pixels.length / 4 }, (_, k) =>
    WEIGHTS.reduce((sum, weight, part) => sum + weight * pixels[4 * k + part], 0),
  );
  const [low, high] = grey.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [255, 0]);
  grey.forEach((each, k) => {
    const spread = high > low ? (each - low) / (high - low) : each / 255;
    const light = 0.5 + contrast * ((invert ? 1 - spread : spread) - 0.5);
    pixels.fill(255 * light, 4 * k, 4 * k + 3);
  });
}
