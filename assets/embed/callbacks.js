/* There is no Dash where a run is by itself. Stands for `common/callbacks.js`. */
const nothing = () => {};

export const setProps = nothing;
