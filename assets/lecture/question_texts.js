/* The words of a question to the class in the language of this page. */
import { basePath } from "../common/dom.js";
import { plainStep } from "../common/lesson/html.js";
import { sentenceOf, sentencesOf } from "../common/question_words.js";

/** @param {{ lesson: string, step: number }} source */
async function lessonWords({ lesson, step }) {
  const answer = await fetch(`${basePath()}learn/lessons/${encodeURIComponent(lesson)}`);
  /** @type {Lesson} */
  const { steps } = await answer.json();
  return plainStep(steps[step]);
}

/**
 * Return the question and its answers in the page's language, or in the host's if the source is not available.
 * @param {AskedQuestion} question
 * @returns {Promise<{ text: string, answers: string[] }>}
 */
export async function findWords({ text, answers, source }) {
  const asked = { text, answers };
  if (!source) return asked;
  try {
    /** @type {QuestionSource} */
    const from = JSON.parse(source);
    if (from.language === document.documentElement.lang) return asked;
    if ("text" in from) return { text: sentencesOf(from.text), answers: from.answers.map(sentenceOf) };
    const own = await lessonWords(from);
    return own.answers.length === answers.length ? own : asked;
  } catch {
    return asked;
  }
}
