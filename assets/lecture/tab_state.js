/*
 * State that this tab keeps over a reload: the lecture that it leads, the lecture that its reader has left, the address
 * to which it is following the lecturer, and whether its reader wants no nickname.
 */

/** @typedef {"leads" | "left" | "goes" | "nameless"} Choice */

/** @type {Partial<Record<Choice, string>>} */
const here = {}; // used if storage is denied

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
 * @param {string} lecture its id, or another value; empty for none
 */
function storeChoice(choice, lecture) {
  here[choice] = lecture;
  try {
    window.sessionStorage.setItem(`lecture-${choice}`, lecture);
  } catch {
    // storage is denied: it lasts until the page is left
  }
}

export { storeChoice, readChoice };
