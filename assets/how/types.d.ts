/** What the scripts of the drawer "How it works" say to each other. */

/** A section of a page of the drawer, as `components/how/content.py` makes it. */
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
/** A diagram of so many frames. */
interface Scene {
  width: number;
  height: number;
  frames: number;
  /** Milliseconds a frame. */
  pace?: number;
  /** What is seen in a frame. */
  draw: (frame: number) => Shape[];
  /** The frame in words. */
  say?: (frame: number) => string;
}
/** A move (i, j) that a thread looks at. */
interface Look {
  thread: number;
  i: number;
  j: number;
}
