// Types shared by the modules of the page that watches a run; `assets/common/types.d.ts` has those of all pages.

interface Window {
  /** Of the grid, which Dash loads on pages that have one. */
  dash_ag_grid?: any;
}

// --- Tours --------------------------------------------------------------------------------------------------------

/** The drawn tour, without the edges that begin at the positions in `cut`. */
interface TourPicture {
  order: Order;
  cut?: number[];
  pairs?: undefined;
  count?: undefined;
}
/** The first `count` edges of a construction, as pairs of cities. */
interface EdgesPicture {
  order?: undefined;
  cut?: undefined;
  pairs: Int32Array;
  count: number;
  /** Whether a city may have more than two of the edges. */
  apart?: boolean;
}
/** The drawing, with the edges of the current move as flat pairs of cities. */
type Picture = (TourPicture | EdgesPicture) & { removed?: ArrayLike<number>; added?: ArrayLike<number> };

// --- Explanations -------------------------------------------------------------------------------------------------

/** The explanation of a step: a sentence, and the label of its line in the algorithm's pseudo-code. */
interface Explanation {
  sentence: string;
  line: string | null;
  /** Shades below the tour while the step is shown. */
  shades?: PaintedLine[];
  /** Whether the shades are candidate edges: the likelier, the wider. */
  candidates?: boolean;
  /** The cities in the sentence, whose names are on the map while the step is shown. */
  cities?: number[];
}
/** A step to explain. */
interface Step {
  /** The shown view. */
  view: View;
  map: TourMap;
  /** The shown climb, if it has arrived. */
  climb: Climb | null;
}
type MovesClimb = import("./climbs/climb.js").MovesClimb;
type EdgesClimb = import("./climbs/climb.js").EdgesClimb;
type AntChoices = NonNullable<EdgesClimb["choices"]>;
type EdgeDeposits = NonNullable<EdgesClimb["deposits"]>;
/** Explains a step; null if it has no explanation. */
type Explainer = (step: Step) => Explanation | null | Promise<Explanation | null>;

// --- Predictions --------------------------------------------------------------------------------------------------

/** The player's position at a question about the next step. */
interface Asked {
  algorithm: string;
  variant: string;
  climb: Climb;
  position: number;
  map: TourMap;
}
/** Asks which two edges will leave the tour, by position; `pairs` are all edges of the tour. */
interface EdgesQuestion {
  kind: "edges";
  needs: 2;
  order: Int32Array;
  pairs: Int32Array;
  i: number;
  j: number;
  change: number;
  /** The run's choice of moves: the best exchange, several of one scan, or the best that is not tabu. */
  rule: "best" | "several" | "tabu";
}
/**
 * Asks whether annealing's next draw is accepted, or whether its next accepted move makes the tour longer. Of the
 * `before` earlier draws or moves, `among` were accepted or made it longer; `skipped` draws are rejected before the
 * next accepted one.
 */
interface ChoiceQuestion {
  kind: "choice";
  what: "accepted" | "longer";
  yes: boolean;
  /** Null if not recorded. */
  temperature: number | null;
  change: number;
  skipped: number;
  before: number;
  among: number;
}
/** Asks which of the remaining cities comes after `from`. */
interface CityQuestion {
  kind: "city";
  needs: 1;
  rule: "nearest" | "ant";
  from: number;
  to: number;
  open: (city: number) => boolean;
}
/** Asks which edge, a–b, is added next. */
interface EdgeQuestion {
  kind: "edge";
  needs: 2;
  a: number;
  b: number;
  open: (city: number) => boolean;
  /** Whether an edge between two open cities closes no cycle. */
  fits: (one: number, other: number) => boolean;
}
type Question = EdgesQuestion | ChoiceQuestion | CityQuestion | EdgeQuestion;
interface Verdict {
  right: boolean;
  sentence: string;
}

// --- Charts -------------------------------------------------------------------------------------------------------

/** Bar k counts the numbers from `from` + k * `width` on. */
interface Bars {
  from: number;
  width: number;
  counts: number[];
}

/** A marked length of a histogram, with its colour and label. */
interface Mark {
  at: number;
  hue: string;
  key: string;
}

// --- Exact solutions ----------------------------------------------------------------------------------------------

/** The planned work of an exact solution, as reported at the start. */
type Plan = LayersValues & LayersArrays;
/** Sums over all layers. */
type Work = Record<"subsets" | "states" | "transitions", number>;
/** The progress of an exact solution: one row of a `front` frame. */
type FrontRow = Record<keyof FrontArrays, number>;

// --- Colonies -----------------------------------------------------------------------------------------------------

/** The gain of 2-opt on tours: one row of a `shortened` frame. */
type ShortenedRow = Record<keyof ShortenedArrays, number>;

/** The store `progress` (`stores.js`). `gap` is in percent; null if no optimum is known (see `format.gapPercent`). */
interface RunProgress {
  run: string | null;
  state: RunState;
  iterations: number;
  evaluations: number;
  seconds: number;
  best: number | null;
  optimum: number | null;
  gap: number | null;
  proof: boolean;
  proven: boolean;
  /**
   * A lower bound on the length of every tour, and the gap of the best length to it in percent; null if no bound is
   * known.
   */
  bound: number | null;
  bound_gap: number | null;
  /** The reference of the best gap: the optimum, else the bound; null if there is none. */
  reference: number | null;
}
/** The store `rows`: columns of the newly finished climbers, and the number of climbers before them. */
type NewRows = { run: string; first: number } & Record<keyof RowsArrays, number[]>;
