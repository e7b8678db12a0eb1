/* Parts of a page that are fetched when first opened: script and style sheet of a folder of `assets/`. */
import { scriptAddress, sheetAddress } from "../language/addresses.js";

/** @type {Map<string, Promise<any>>} */
const fetching = new Map();

/** @param {string} address */
function sheet(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((done, failed) => {
    link.addEventListener("load", done);
    link.addEventListener("error", failed);
    document.head.append(link);
  });
}

/**
 * Return the modules of a part by their paths below `assets/`, once its style sheet is loaded too.
 * @param {string} name of the folder
 */
export function part(name) {
  const part = fetching.get(name);
  if (part) return part;
  const address = scriptAddress(name);
  const fetched = Promise.all([import(address), sheet(sheetAddress(address))]).then(
    ([modules]) => modules,
    (error) => {
      fetching.delete(name); // the next click tries again
      throw error;
    },
  );
  fetching.set(name, fetched);
  return fetched;
}
