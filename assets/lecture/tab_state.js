/*
 * State that this tab keeps across a reload: the lecture that it leads, the lecture that its reader has left, the
 * address to which it is following the lecturer, and whether its reader wants no nickname.
 */

import { tabStorage } from "../common/storage.js";

/** @typedef {"leads" | "left" | "goes" | "nameless"} Choice */

/** @type {Partial<Record<Choice, string>>} */
const here = {}; // used if storage is denied

/** @param {Choice} choice */
export const readChoice = (choice) => tabStorage.readText(`lecture-${choice}`) ?? here[choice] ?? "";

/**
 * @param {Choice} choice
 * @param {string} lecture its id, or another value; empty for none
 */
export function storeChoice(choice, lecture) {
  here[choice] = lecture;
  tabStorage.storeText(`lecture-${choice}`, lecture);
}
