/* What the server answers: JSON of its routes, and plain text of its door and of a proxy before it. */

/**
 * What a route answers; of a refusal in plain text, its sentence.
 * @param {Response} answer
 * @returns {Promise<any>}
 */
async function jsonOf(answer) {
  const plain = (answer.headers.get("content-type") || "").startsWith("text/plain");
  return plain ? { sentence: await answer.text() } : answer.json();
}

export { jsonOf };
