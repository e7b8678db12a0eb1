/*
 * Opens the drawer "How it works". Its script, style sheet and pages are fetched on first use; a page loads only this
 * file.
 */
import { sheetAddress } from "../language/addresses.js";
import { readProp } from "../callbacks.js";
import { basePath, closest } from "../dom.js";
import { show } from "../faults.js";
import { sheet } from "../loading/parts.js";

/** @typedef {typeof import("../../how/drawer.js")["drawer"]} Drawer */
/** @type {Promise<Drawer> | null} */
let fetching = null;
/** @type {Drawer | null} */
let drawer = null;
/** @type {() => string} */
let currentAlgorithm = () => ""; // the algorithm that "?" opens, or none for the list
/** @type {((drawer: Drawer) => void)[]} */
const waiting = []; // called when the drawer is loaded

function fetchDrawer() {
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector("link[data-how]");
  const address = link?.href || "";
  fetching ||= Promise.all([import(address), sheet(sheetAddress(address))]).then(
    ([modules]) => {
      /** @type {Drawer} */
      const loaded = modules["how/drawer.js"].drawer;
      drawer = loaded;
      for (const tell of waiting) tell(loaded);
      return loaded;
    },
    (error) => {
      fetching = null; // the next click tries again
      throw error;
    },
  );
  return fetching;
}

/**
 * Open the drawer, or close it if it already shows this algorithm.
 * @param {string} algorithm its name; empty for the list of all
 */
async function open(algorithm) {
  const from = document.activeElement;
  try {
    (await fetchDrawer()).toggle(algorithm, basePath(), from);
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
  }
}

// Through Dash, a click would take milliseconds longer.
document.addEventListener("click", (event) => {
  if (closest(event, "#how-open")) open(readProp("algorithm", "value"));
  else if (closest(event, "#how-help")) open(currentAlgorithm());
});

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
  waiting.push(tell);
}

/** Open the drawer at the current algorithm. */
const openCurrent = () => open(currentAlgorithm());

export const how = { drawer: () => drawer, open, openCurrent, setCurrentAlgorithm, whenOpened };
