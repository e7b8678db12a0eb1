/*
 * Values that the browser stores for all pages, or for this tab. If storage is denied, nothing is read; if it is full,
 * nothing more is stored.
 */

/** @param {() => Storage} find */
function makeStorage(find) {
  /**
   * Return the text stored under a key; null if there is none.
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
      // then only the open page remembers it
    }
  }

  return {
    readText,
    storeText,
    /**
     * Return the value stored under a key; null if there is none, or if it is not valid JSON.
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
