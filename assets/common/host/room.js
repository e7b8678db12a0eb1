/*
 * The document whose elements the scripts find, and whose clicks and keys they hear. A run that stands in another page,
 * or in a file, has a part of its own in its place: its bundle is made with another `room` (`components/embed/script.py`).
 */

/** @type {() => Document} */
const room = () => document;

export { room };
