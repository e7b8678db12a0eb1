/* Replaces `common/callbacks.js` in a standalone run, which has no Dash. */
const doNothing = () => {};

export const setProps = doNothing;
