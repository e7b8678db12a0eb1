/* Events between the scripts of a page; `types.d.ts` has the type of each value. */
/** @type {Map<string, ((value: any) => void)[]>} */
const listeners = new Map();

/**
 * Call `listener` whenever one of the names is emitted.
 * @template {keyof PageEvents} Name
 * @param {Name | Name[]} names
 * @param {(value: PageEvents[Name]) => void} listener
 */
export function on(names, listener) {
  for (const name of [names].flat()) listeners.set(name, [...(listeners.get(name) || []), listener]);
}

/**
 * Notify all listeners of `name`.
 * @template {keyof PageEvents} Name
 * @param {Name} name
 * @param {PageEvents[Name]} [value]
 */
export function emit(name, value) {
  for (const listener of listeners.get(name) || []) listener(value);
}
