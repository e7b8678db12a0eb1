/* Events between the scripts of a page; `types.d.ts` has the type of each value. */
/** @type {Map<string, ((value: any) => void)[]>} */
const listeners = new Map();

/**
 * Call `listener` on each `emit` of `name`.
 * @template {keyof PageEvents} Name
 * @param {Name} name
 * @param {(value: PageEvents[Name]) => void} listener
 */
export function on(name, listener) {
  const others = listeners.get(name) || [];
  listeners.set(name, [...others, listener]);
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
