/* The scripts' side of Dash's callbacks: functions called by Dash, and properties set from here. */

/**
 * Register the functions of a namespace, for `ClientsideFunction(namespace, name)`.
 * @param {string} namespace
 * @param {Record<string, (...values: any[]) => unknown>} functions
 */
export function register(namespace, functions) {
  window.dash_clientside ||= /** @type {any} */ ({}); // Dash adds its own functions
  window.dash_clientside[namespace] = { ...window.dash_clientside[namespace], ...functions };
}

/**
 * Set properties of the component with this id: a string or, for pattern matching, an object.
 * @param {string | object} id
 * @param {Record<string, unknown>} props
 */
export const setProps = (id, props) => window.dash_clientside.set_props(id, props);

/**
 * Return the current value of a component's property.
 * @param {string} id
 * @param {string} name
 */
export const readProp = (id, name) => window.dash_component_api.getLayout(id).props[name];

/** Return the value that leaves an output unchanged. */
export const unchanged = () => window.dash_clientside.no_update;

/** Return the inputs, outputs and trigger of the current callback. */
export const context = () => window.dash_clientside.callback_context;
