/* Uses parts of a page that a person opens, and shows if one cannot be loaded. */
import { show } from "../faults.js";
import { part } from "./parts.js";

/**
 * Use a part once it is loaded; a failure is shown on the page.
 * @param {string} name of the folder
 * @param {(modules: any) => unknown} use
 */
export async function withPart(name, use) {
  try {
    await use(await part(name));
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
  }
}
