/*
 * What this tab keeps over a reload: the lecture that it leads, the one that its reader has left, and the address to which
 * it is on its way after the lecturer.
 */

/** @typedef {"leads" | "left" | "goes"} Choice */

/** @type {Partial<Record<Choice, string>>} */
const here = {}; // used while storage is denied

/** @param {Choice} choice */
function readChoice(choice) {
  try {
    return window.sessionStorage.getItem(`lecture-${choice}`) || "";
  } catch {
    return here[choice] || "";
  }
}

/**
 * @param {Choice} choice
 * @param {string} lecture its id; empty for none
 */
function storeChoice(choice, lecture) {
  here[choice] = lecture;
  try {
    window.sessionStorage.setItem(`lecture-${choice}`, lecture);
  } catch {
    // storage is denied: it holds until the page is left
  }
}

export { storeChoice, readChoice };
