/* Replaces `common/callbacks.js` in a standalone run, which has no Dash. */
const nothing = () => {};

export const setProps = nothing;
