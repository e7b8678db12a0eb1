/* The race that is open, as far as the page has been told. */
/** @type {Race} */
const race = {
  id: null,
  lanes: [],
  views: [],
  optimum: null,
  proven: false,
  state: "none",
  seconds: null,
  instance: null,
  compared: "",
};

export { race };
