/* The race that is open, as far as the page knows it. */
/** @type {Race} */
export const race = {
  id: null,
  lanes: [],
  views: [],
  optimum: null,
  proven: false,
  state: "none",
  seconds: null,
  seed: null,
  instance: null,
  own: true,
  compared: "",
};
