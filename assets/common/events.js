/* Events between the scripts of a page. */
const listeners = new Map();

/** Call `listener` at each `emit` of `name`. */
function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(listener);
}

/** Tell all listeners of `name`. */
function emit(name, value) {
  for (const listener of listeners.get(name) || []) listener(value);
}

export { emit, on };
