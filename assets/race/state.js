/* The page's data on the open race. */
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
