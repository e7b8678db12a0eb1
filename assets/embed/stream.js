/* Replaces `common/stream.js` in a standalone run, which needs no stream. */
const doNothing = () => {};

export const stream = { head: doNothing, field: doNothing, acknowledge: doNothing };
