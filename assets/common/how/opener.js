/*
 * Opens the drawer "How it works". Its script, style sheet and pages are fetched on first use; a page loads only this
 * file.
 */
import { readProp } from "../callbacks.js";
import { basePath, clicked } from "../dom.js";
import { withPart } from "../loading/with_part.js";

/** @typedef {typeof import("../../how/drawer.js")["drawer"]} Drawer */
/** @type {Drawer | null} */
let drawer = null;
/** @type {() => string} */
let currentAlgorithm = () => ""; // the algorithm that "?" opens, or none for the list
/** @type {((drawer: Drawer) => void)[]} */
const waiting = []; // called when the drawer is loaded

/**
 * Open the drawer, or close it if it already shows this algorithm.
 * @param {string} algorithm its name; empty for the list of all
 */
function open(algorithm) {
  const from = document.activeElement;
  return withPart("how", (modules) => {
    /** @type {Drawer} */
    const loaded = modules["how/drawer.js"].drawer;
    drawer = loaded;
    for (const tell of waiting.splice(0)) tell(loaded);
    return loaded.toggle(algorithm, basePath(), from);
  });
}

// Through Dash, a click would take milliseconds longer.
clicked("#how-open", () => open(readProp("algorithm", "value")));
clicked("#how-help", () => openCurrent());

/**
 * Set the current algorithm, on a page that has one.
 * @param {() => string} name
 */
function setCurrentAlgorithm(name) {
  currentAlgorithm = name;
}

/**
 * Call `tell` after the drawer has been opened.
 * @param {(drawer: Drawer) => void} tell
 */
function whenOpened(tell) {
  if (drawer) tell(drawer);
  else waiting.push(tell);
}

/** Open the drawer at the current algorithm. */
const openCurrent = () => open(currentAlgorithm());

export const how = { drawer: () => drawer, open, openCurrent, setCurrentAlgorithm, whenOpened };
