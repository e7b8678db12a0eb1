/* Addresses of additional files: other scripts in the page's language, and their style sheets. */
const [, language = ""] = /(\.[a-z]{2})\.js$/.exec(import.meta.url) || [];

/**
 * Return the address of another page's script, such as "video", in the current language.
 * @param {string} page
 */
export const scriptAddress = (page) => new URL(`${page}${language}.js`, import.meta.url).href;

/**
 * Return the address of a script's style sheet.
 * @param {string} address
 */
export const sheetAddress = (address) => address.replace(/(\.[a-z]{2})?\.js$/, ".css");
