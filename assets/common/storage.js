/* What the browser stores for the pages, or for this tab. Storage that is denied or full is like an empty one. */

/** @param {() => Storage} find */
function makeStorage(find) {
  /**
   * Return the text under a key; null without one.
   * @param {string} key
   */
  function readText(key) {
    try {
      return find().getItem(key);
    } catch {
      return null;
    }
  }

  /**
   * @param {string} key
   * @param {string} text
   */
  function storeText(key, text) {
    try {
      find().setItem(key, text);
    } catch {
      // it lasts as long as the page
    }
  }

  return {
    readText,
    storeText,
    /**
     * Return the value under a key; null without one, or if it was stored by another program.
     * @param {string} key
     * @returns {any}
     */
    read(key) {
      try {
        return JSON.parse(readText(key) || "null");
      } catch {
        return null;
      }
    },
    /**
     * @param {string} key
     * @param {unknown} value
     */
    store: (key, value) => storeText(key, JSON.stringify(value)),
  };
}

export const browserStorage = makeStorage(() => window.localStorage);
export const tabStorage = makeStorage(() => window.sessionStorage);
