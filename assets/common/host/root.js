/*
 * The document in which scripts find elements and listen for clicks and keys. A run embedded in another page or a file
 * has its own part instead: its bundle is built with another `root` (`components/embed/script.py`).
 */

/** @type {() => Document} */
export const root = () => document;
