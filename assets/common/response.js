/* Reads the server's responses: JSON from its routes, and plain text from the guard or a proxy. */

/**
 * Return the body of a response; for a plain-text refusal, its sentence.
 * @param {Response} response
 * @returns {Promise<any>}
 */
export async function readJson(response) {
  const plain = (response.headers.get("content-type") || "").startsWith("text/plain");
  return plain ? { sentence: await response.text() } : response.json();
}
