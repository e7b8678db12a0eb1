/** Types of the drawer "How it works". */

/** A section of a page in the drawer, made by `components/how/content.py`. */
interface HowSection {
  title: string;
  anchor: string;
  html: string;
}
/** A page of the drawer: an algorithm, or a document. */
interface HowPage {
  title: string;
  sections: HowSection[];
  document: string;
}
/** An algorithm in the drawer's list. */
interface HowAlgorithm {
  name: string;
  title: string;
  summary: string;
}
/** An element of a diagram: its name, its attributes, and its text. */
type Shape = [name: string, attributes: Record<string, string | number>, text?: string];
/** A diagram with a number of frames. */
interface Scene {
  width: number;
  height: number;
  frames: number;
  /** Milliseconds per frame. */
  pace?: number;
  /** Shapes of a frame. */
  draw: (frame: number) => Shape[];
  /** Description of the frame. */
  say?: (frame: number) => string;
}
/** A move (i, j) evaluated by a thread. */
interface Look {
  thread: number;
  i: number;
  j: number;
}
