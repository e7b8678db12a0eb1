/* Replaces `common/stream.js` in a standalone run, which needs no stream. */
const nothing = () => {};

export const stream = { head: nothing, field: nothing, acknowledge: nothing };
