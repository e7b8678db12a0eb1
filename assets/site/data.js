/* The data of a page, which its document contains. */
import { byId } from "../common/dom.js";
import { makeMap } from "../common/map/map.js";
import { arraysOf } from "./record.js";

/** @type {SiteData} */
export const data = JSON.parse(byId("site-data").textContent);

/**
 * Return the map of an instance.
 * @param {SiteInstance} instance
 */
export const mapOf = (instance) =>
  makeMap(/** @type {any} */ ({ values: instance.values, arrays: arraysOf(instance) }));
