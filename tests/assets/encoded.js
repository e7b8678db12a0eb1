/* Frames as the server writes them (`solvers/worker/frames.py`), which a test in Python checks byte by byte. */
export { encode } from "../../assets/site/encode.js";

/** Frames laid end to end. */
export function joined(...frames) {
  const bytes = new Uint8Array(frames.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const frame of frames) {
    bytes.set(new Uint8Array(frame), at);
    at += frame.byteLength;
  }
  return bytes.buffer;
}
