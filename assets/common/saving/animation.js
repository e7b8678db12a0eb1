/* Animations that the server draws picture by picture: their button shows the progress until the result is saved. */
import { byId, replaceText } from "../dom.js";
import { download } from "./download.js";
import { note } from "../faults.js";
import { text } from "../texts.js";

const NEWLINE = 10;

/**
 * Return the position of the end of line n, -1 if there are fewer lines.
 * @param {Uint8Array} bytes
 * @param {number} n
 */
function endOfLine(bytes, n) {
  let at = -1;
  for (let k = 0; k < n; k += 1) {
    at = bytes.indexOf(NEWLINE, at + 1);
    if (at < 0) return -1;
  }
  return at;
}

/**
 * Read a response: a line with the number of pictures, a line with a mark for each finished one, then the animation.
 * @param {ReadableStream<Uint8Array>} body
 * @param {(share: number) => void} tell called with the finished share, 0 to 1
 */
export async function readAnimation(body, tell) {
  const reader = body.getReader();
  let bytes = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const longer = new Uint8Array(bytes.length + value.length);
    longer.set(bytes);
    longer.set(value, bytes.length);
    bytes = longer;
    const first = endOfLine(bytes, 1);
    if (first < 0) continue;
    const second = endOfLine(bytes, 2);
    const count = Number(new TextDecoder().decode(bytes.subarray(0, first)));
    tell(((second < 0 ? bytes.length : second) - first - 1) / count);
  }
  const begin = endOfLine(bytes, 2);
  if (begin < 0) throw new Error("The animation ended before it began.");
  return bytes.subarray(begin + 1);
}

/**
 * Save the animation at an address under a name; its button is disabled meanwhile and shows the progress.
 * @param {string} id of the button
 * @param {string} address
 * @param {string} name
 */
export async function fetchAnimation(id, address, name) {
  const button = byId(id);
  if (button.getAttribute("aria-busy") === "true") return;
  const words = button.textContent;
  button.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${address}&progress=1`);
    await note(answer, name);
    if (!answer.ok || !answer.body) return;
    const bytes = await readAnimation(answer.body, (share) =>
      replaceText(button, text("save.progress", { percent: Math.floor(100 * share) })),
    );
    download(URL.createObjectURL(new Blob([bytes], { type: "image/gif" })), name, true);
  } finally {
    button.removeAttribute("aria-busy");
    replaceText(button, words);
  }
}
