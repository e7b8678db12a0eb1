/* Reads the server's responses: JSON of its routes, and plain text of the guard or of a proxy. */

/**
 * Return the body of a response; for a plain-text refusal, its sentence.
 * @param {Response} answer
 * @returns {Promise<any>}
 */
export async function readJson(answer) {
  const plain = (answer.headers.get("content-type") || "").startsWith("text/plain");
  return plain ? { sentence: await answer.text() } : answer.json();
}
