/* Loads files besides a page's own script: other scripts in the language of the page, and their style sheets. */
const [, language = ""] = /(\.[a-z]{2})\.js$/.exec(import.meta.url) || [];

/**
 * The address of another page's script, such as "video", in the language of this one.
 * @param {string} page
 */
const script = (page) => new URL(`${page}${language}.js`, import.meta.url).href;

/**
 * The address of the sheet that belongs to a script.
 * @param {string} address
 */
const sheetAddress = (address) => address.replace(/(\.[a-z]{2})?\.js$/, ".css");

export { script, sheetAddress };
