/* Answers to a question to the class: a letter for each, and a colour on the map. */
/** Names of colours that everybody can tell apart (Okabe and Ito, 2008), also from the colour of a tour. */
const COLOURS = ["ant-system", "max-min-ant-system", "ant-colony-system", "greedy"].map((name) => `algorithm-${name}`);

/** @param {number} answer counted from 0 */
export const answerLetter = (answer) => String.fromCharCode(65 + answer);

/** @param {number} answer */
export const answerColour = (answer) => COLOURS[answer % COLOURS.length];
