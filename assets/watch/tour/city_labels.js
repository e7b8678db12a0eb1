/* Names of cities on a saved picture: as many as fit, in the order of the cities. */
import { colour } from "../../common/dom.js";
import { placeMap } from "../../common/map/map.js";
import { onCanvas } from "../../common/map/picking.js";
import { placeName } from "../../common/map/names.js";

const MOST = 1000; // maximum number of cities of a picture with names; with more cities, few names would fit
const LETTERS = 11; // font size in pixels
const [LINE, FAMILY] = [1.2, "Inter"]; // line height in font sizes

/**
 * Return Plotly annotations with the names of a map's cities; none if they have no names.
 * @param {TourMap} map
 * @param {Line[]} lines lines that names should not cover
 * @param {{ width: number, height: number }} room of the map, in pixels
 * @param {number} radius of a city
 * @param {(words: string) => string} plain escapes a text for Plotly
 */
export function labelCities(map, lines, { width, height }, radius, plain) {
  const { names } = map;
  if (!names || map.n > MOST) return [];
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return [];
  pen.font = `${LETTERS}px ${FAMILY}`;
  const cities = names.flatMap((name, city) => (name ? city : []));
  const place = placeMap(map, width, height);
  const picture = { map, place, width, height, radius, cities, edges: [], lines };
  const places = placeName(picture, (city) => pen.measureText(names[city]).width, LINE * LETTERS);
  return places.map(({ city, box }) => {
    const point = onCanvas(map.xy, place, city);
    return {
      x: map.xy[2 * city],
      y: map.xy[2 * city + 1],
      text: plain(names[city]),
      showarrow: false,
      xshift: (box.x0 + box.x1) / 2 - point.x,
      yshift: point.y - (box.y0 + box.y1) / 2,
      font: { family: FAMILY, size: LETTERS, color: colour("ink") },
    };
  });
}
