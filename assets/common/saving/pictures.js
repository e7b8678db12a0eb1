/*
 * Saves pictures as PNG and SVG with Plotly: with a title, in the page's font, and in the size and theme chosen beside
 * the buttons; the browser stores the choice.
 */
import { loadPlotly } from "../charts/graph.js";
import { closest, colour, inTheme, when } from "../dom.js";
import { element } from "../elements.js";
import { browserStorage } from "../storage.js";
import { download } from "./download.js";

const KEY = "pictures";
const PLACE = /url\("([^"]+)"\)/; // address of a font
const FAMILY = "Inter";
const SIZES = { title: 17, details: 13.5, text: 12.5 }; // font sizes, in pixels of a picture with width `WIDTH`
const WIDTH = 960; // layout width in pixels, unless a picture is as wide as on the screen
const [SIDE, TOP, LINE] = [24, 18, 21]; // pixels to the left, right and above the title, and line height
const CAPITALS = 0.7; // height of capitals relative to the font size

/** Defaults that suit a slide, a page and a screen. */
const DEFAULTS = { width: "1920", gif: "960", paper: "a4", theme: "page" };

/** @returns {PictureChoice} */
const choice = () => ({ ...DEFAULTS, ...browserStorage.read(KEY) });

/** @param {Partial<PictureChoice>} changed */
const choose = (changed) => browserStorage.store(KEY, { ...choice(), ...changed });

/** Return the theme of pictures: the chosen theme, or the page's. */
function theme() {
  const { theme: chosen } = choice();
  return chosen === "light" || chosen === "dark" ? chosen : document.documentElement.dataset.bsTheme || "light";
}

/**
 * Return the layout of a picture: its width in pixels, and `scale`, the number of file pixels per layout pixel.
 * @param {number} shown width on the page in pixels
 * @param {number} [whole] layout width, unless a picture is saved as on the screen
 */
function size(shown, whole = WIDTH) {
  const wanted = Number(choice().width);
  if (wanted) return { width: whole, scale: wanted / whole };
  return { width: Math.round(shown) || whole, scale: window.devicePixelRatio || 1 };
}

/** Return the size and theme of an animation as a query. */
const query = () => `width=${choice().gif}&theme=${theme()}`;

/**
 * Wrap parts of a title, separated by " · ", into lines of limited width.
 * @param {string[]} parts
 * @param {number} width in pixels
 * @param {number} letters font size in pixels
 */
function wrapTitle(parts, width, letters) {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) pen.font = `600 ${letters}px ${FAMILY}`;
  /** @param {string} line */
  const fits = (line) => (pen?.measureText(line).width ?? 0) <= width;
  /** @type {string[]} */
  const lines = [];
  /** @param {string} part @param {string} between it and what stands before it */
  const add = (part, between) => {
    const longer = lines.length ? `${lines[lines.length - 1]}${between}${part}` : "";
    if (longer && fits(longer)) lines[lines.length - 1] = longer;
    else if (fits(part) || !part.includes(" ")) lines.push(part);
    else part.split(" ").forEach((word, k) => add(word, k ? " " : between));
  };
  for (const part of parts.filter(Boolean)) add(part, " \u00b7 ");
  return lines;
}

/**
 * Lay out the title of a picture of this width, a heading above lines of details; also return the title's height.
 * @param {PictureTitle} titleParts escaped texts (`plain`)
 * @param {number} width
 */
function layOutTitle({ head, details }, width) {
  const room = width - 2 * SIDE;
  const [first, ...more] = wrapTitle(head, room, SIZES.title);
  const small = [...more, ...wrapTitle(details, room, SIZES.details)];
  const style = `font-size:${SIZES.details}px;font-weight:400;color:${colour("mute")}`;
  const text = [first, ...small.map((line) => `<span style="${style}">${line}</span>`)].join("<br>");
  return { text, height: TOP + LINE * (1 + small.length) + 4 };
}

/**
 * Return the legend of a picture of this width, below the plot.
 * @param {number} width
 */
const legend = (width) => ({
  orientation: "h",
  x: (SIDE - 12) / width,
  xref: "container",
  y: 0,
  yref: "container",
  yanchor: "bottom",
  font: { family: FAMILY, size: SIZES.text, color: colour("ink") },
  itemsizing: "trace",
  bgcolor: "rgba(0, 0, 0, 0)",
});

/**
 * Add a title above a figure, on the page's background.
 * @param {Figure} figure with its margins
 * @param {PictureTitle} titleParts
 * @param {{ width: number, height: number }} size `height` without the title
 * @returns {Figure}
 */
function addTitle({ data, layout }, titleParts, { width, height }) {
  const panel = colour("panel");
  const { text, height: above } = layOutTitle(titleParts, width);
  const whole = height + above;
  const place = { x: SIDE / width, xref: "container", xanchor: "left", yref: "container", yanchor: "top" };
  const font = { family: FAMILY, size: SIZES.title, weight: 600, color: colour("ink") };
  // Plotly anchors a single line at its top, but several lines at the bottom of the first.
  const top = TOP + (text.includes("<br>") ? CAPITALS * SIZES.title : 0);
  const title = { text, ...place, y: 1 - top / whole, font };
  const margin = { ...layout.margin, t: (layout.margin?.t || 0) + above };
  const ground = { paper_bgcolor: panel, plot_bgcolor: panel, autosize: false };
  return { data, layout: { ...layout, title, width, height: whole, margin, legend: legend(width), ...ground } };
}

/** Return the rule of the style sheet with the page's font, and the font's address. */
function typefaceRule() {
  for (const sheet of document.styleSheets) {
    const rule = [...sheet.cssRules].find((candidate) => candidate instanceof CSSFontFaceRule);
    const [, address] = rule?.cssText.match(PLACE) || [];
    if (rule && address) return { rule: rule.cssText, address: new URL(address, sheet.href || undefined) };
  }
  throw new Error("The page has no typeface of its own.");
}

/** @type {Promise<string> | null} */
let typeface = null;

/** Return this rule with the font embedded, so that a picture needs nothing else. */
async function wholeTypeface() {
  const { rule, address } = typefaceRule();
  const answer = await fetch(address);
  const blob = await answer.blob();
  const data = await new Promise((done) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(reader.result));
    reader.readAsDataURL(blob);
  });
  return rule.replace(PLACE, `url("${data}")`);
}

/**
 * Complete an SVG so that it looks the same everywhere: with a size in pixels and an embedded font.
 * @param {string} address from Plotly
 * @param {number} scale
 * @param {string} rule style rule with the embedded font
 */
function completeSvg(address, scale, rule) {
  const drawing = new DOMParser().parseFromString(
    decodeURIComponent(address.slice(address.indexOf(",") + 1)),
    "image/svg+xml",
  );
  const root = drawing.documentElement;
  const [width, height] = ["width", "height"].map((name) => Number(root.getAttribute(name)));
  const style = drawing.createElementNS(root.namespaceURI, "style");
  style.textContent = rule;
  root.prepend(style);
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const pixels = [width, height].map((length) => Math.round(scale * length));
  root.setAttribute("width", String(pixels[0]));
  root.setAttribute("height", String(pixels[1]));
  return { svg: new XMLSerializer().serializeToString(drawing), pixels };
}

/**
 * Convert an SVG to a PNG of its own size, on a background, since the SVG is transparent at its edges.
 * @param {string} svg
 * @param {number[]} pixels
 * @param {string} ground colour of the background
 * @returns {Promise<Blob>}
 */
async function renderPng(svg, [width, height], ground) {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element("canvas", { width, height });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("The browser does not draw.");
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  pen.drawImage(image, 0, 0, width, height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The picture is too large."))), "image/png");
  });
}

/**
 * Save a figure as a file; `make` builds it in the chosen theme.
 * @param {"png" | "svg"} format
 * @param {string} name file name without suffix
 * @param {{ width: number, scale: number }} laid result of `size`
 * @param {() => Figure | null} make nothing is saved if it returns null
 */
async function saveFigure(format, name, { scale }, make) {
  const Plotly = await loadPlotly(); // may not be loaded yet
  const figure = inTheme(theme(), make);
  if (!figure) return;
  const { width, height, paper_bgcolor: ground } = figure.layout;
  typeface ||= wholeTypeface().catch((error) => {
    typeface = null; // the next picture tries again
    throw error;
  });
  const [rule, address] = await Promise.all([typeface, Plotly.toImage(figure, { format: "svg", width, height })]);
  const { svg, pixels } = completeSvg(address, scale, rule);
  const blob = format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await renderPng(svg, pixels, ground);
  download(URL.createObjectURL(blob), `${name}.${format}`, true);
}

// The menus show the stored choice, and store every change.
when(
  () => document.querySelector("select[data-picture]"),
  () => {
    /** @type {NodeListOf<HTMLSelectElement>} */
    const menus = document.querySelectorAll("select[data-picture]");
    /** @type {Record<string, string>} */
    const options = { ...choice() };
    for (const menu of menus) menu.value = options[menu.dataset.picture || ""];
  },
);
document.addEventListener("change", (event) => {
  /** @type {HTMLSelectElement | null} */
  const menu = closest(event, "select[data-picture]");
  if (menu) choose({ [menu.dataset.picture || ""]: menu.value });
});

export const pictures = { choice, size, query, theme, addTitle, saveFigure, LETTERS: SIZES.text };
