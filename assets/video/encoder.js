/*
 * Encoding in the browser: WebCodecs compresses the canvas's pictures, and Mediabunny puts them into an MP4 or WebM
 * file. The browser's encoders run in their own threads, and each picture waits until they have capacity.
 */

/** @typedef {{ codec: string, Format: "Mp4OutputFormat" | "WebMOutputFormat", type: string }} Container */

/** @type {Record<"mp4" | "webm", Container & { codecs: string[] }>} */
const FORMATS = {
  mp4: { codecs: ["avc"], codec: "avc", Format: "Mp4OutputFormat", type: "video/mp4" },
  webm: { codecs: ["vp9", "vp8"], codec: "vp9", Format: "WebMOutputFormat", type: "video/webm" },
};
const KEY = 2; // seconds between key frames
const BITS = 0.16; // bits per pixel of a picture, enough for crisp thin lines and small text
const BREATH = 12; // milliseconds of work between two pauses

/** @type {Promise<any> | null} */
let fetching = null;

/** Return the library, fetched once. */
function library() {
  fetching ||= import(new URL("../vendor/mediabunny.min.js", import.meta.url).href).catch((error) => {
    fetching = null; // the next video tries again
    throw error;
  });
  return fetching;
}

/** Yield to the page's other work; a timer would wait a second in a hidden tab. */
function yieldToPage() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => {
      port1.close();
      done(undefined);
    };
    port2.postMessage(null);
  });
}

/** Return whether the browser has encoders; it does only in a secure context, which means HTTPS or this computer. */
export const hasEncoder = () => typeof VideoEncoder === "function";

/**
 * @param {Room} size in pixels of the video
 * @param {number} fps
 */
const chooseBitrate = ({ width, height }, fps) => Math.round(BITS * width * height * Math.min(fps, 30));

/**
 * Return a codec of a format that the browser can encode, or null.
 * @param {"mp4" | "webm"} format
 * @param {Room} size in pixels of the video
 * @returns {Promise<string | null>}
 */
export async function codecFor(format, { width, height }) {
  if (!hasEncoder()) return null;
  const { getFirstEncodableVideoCodec } = await library();
  return getFirstEncodableVideoCodec(FORMATS[format].codecs, { width, height });
}

/**
 * Encode a video picture by picture; null if it was cancelled.
 * @param {{ format: "mp4" | "webm", canvas: HTMLCanvasElement, fps: number, count: number }} wanted
 * @param {(picture: number) => void} paint paints a picture onto the canvas
 * @param {(share: number) => void} tell reports the progress
 * @param {AbortSignal} signal
 * @returns {Promise<Blob | null>}
 */
export async function encode({ format, canvas, fps, count }, paint, tell, signal) {
  const codec = await codecFor(format, canvas);
  if (!codec) throw new Error(`No encoder for ${format}.`);
  const result = await library();
  const { Format, type } = FORMATS[format];
  const output = new result.Output({ format: new result[Format](), target: new result.BufferTarget() });
  const config = { codec, bitrate: chooseBitrate(canvas, fps), keyFrameInterval: KEY, contentHint: "detail" };
  const source = new result.CanvasSource(canvas, config);
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  try {
    let paused = performance.now();
    for (let picture = 0; picture < count && !signal.aborted; picture += 1) {
      paint(picture);
      await source.add(picture / fps, 1 / fps);
      if (performance.now() - paused < BREATH) continue;
      tell(picture / count);
      await yieldToPage();
      paused = performance.now();
    }
    if (signal.aborted) {
      await output.cancel();
      return null;
    }
    await output.finalize();
  } catch (error) {
    if (output.state === "started") await output.cancel();
    throw error;
  }
  return new Blob([output.target.buffer], { type });
}
