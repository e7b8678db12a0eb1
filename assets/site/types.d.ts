// Data of the pages of a site, written by `components/site/`.

/** Parameters of `site/solve/annealing.js`, as in `solvers/algorithms/annealing/params.py`. */
interface AnnealingParams {
  chains: number;
  moves_per_city: number;
  cooling: number;
  acceptance: number;
  temperature: number;
  final_temperature_ratio: number;
  neighbours: number;
}

/** One climb or chain of a run. */
interface SiteClimb {
  start: Int32Array;
  /** Length of `start`. */
  begins: number;
  order: Int32Array;
  length: number;
  moves: { i: number[]; j: number[]; delta: number[]; step?: number[]; control?: number[] };
  evaluations: number;
  /** Seconds from the start of the run to the climb's end. */
  at?: number;
}
interface SiteRun {
  algorithm: string;
  params: Record<string, number>;
  seed: number;
  units: Units;
}
/** The frame of an instance (`solvers/worker/frames.py`), as JSON. */
interface SiteInstance {
  values: InstanceValues;
  arrays: { coordinates: number[]; display: number[]; optimal_tour?: number[] };
}
/** Data in the document of each page. */
interface SiteData {
  page: "home" | "lesson" | "beat" | "play";
  /** On "home" and "beat": the initial cities. */
  instance: SiteInstance;
  /** On a lesson's page: the lesson, as in `components/learn/view.py`. */
  lesson: Lesson;
  /** The lesson's runs by the query of their step; the form begins with the first one. */
  runs: Record<string, SiteRun & { instance: string }>;
  instances: Record<string, SiteInstance>;
  /** On "play": a packed run. */
  embedded: Embedded;
  bytes: string;
}
interface Window {
  /** Shows a run in an element (`components/embed/script.py`). */
  showRun: (host: HTMLElement, embedded: Embedded, bytes: Uint8Array, alone: boolean) => Promise<void>;
}
