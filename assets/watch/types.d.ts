// Types of what the modules of the page that watches a run share; `assets/common/types.d.ts` has those of all pages.

interface Window {
  /** Of the grid that Dash loads where a page has one. */
  dash_ag_grid?: any;
}

// --- Tours --------------------------------------------------------------------------------------------------------

/** What is to be drawn of a tour, without the edges that begin at the positions in `cut`. */
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
  /** Whether a city may have more than two of them. */
  apart?: boolean;
}
/** What is to be drawn, with the edges of the move that is being made: pairs of cities one after the other. */
type Picture = (TourPicture | EdgesPicture) & { removed?: ArrayLike<number>; added?: ArrayLike<number> };

// --- Explanations -------------------------------------------------------------------------------------------------

/** What a step does: in a sentence, and which line of the algorithm's pseudo-code it is of, by its label. */
interface Explanation {
  sentence: string;
  line: string | null;
  /** What is shaded below the tour as long as the step is shown. */
  shades?: PaintedLine[];
  /** Whether they are the edges that could be chosen: the likelier, the wider. */
  candidates?: boolean;
  /** The cities that the sentence names, which have their names on the map as long as the step is shown. */
  cities?: number[];
}
/** A step to explain. */
interface Step {
  /** What is on the canvas. */
  view: View;
  map: TourMap;
  /** The climb that is shown, if it is here. */
  climb: Climb | null;
}
type MovesClimb = import("./climb.js").MovesClimb;
type EdgesClimb = import("./climb.js").EdgesClimb;
type AntChoices = NonNullable<EdgesClimb["choices"]>;
type EdgeDeposits = NonNullable<EdgesClimb["deposits"]>;
/** What explains a step; null where it has nothing to say. */
type Explainer = (step: Step) => Explanation | null | Promise<Explanation | null>;

// --- Predictions --------------------------------------------------------------------------------------------------

/** Where the player stands as it asks about the next step. */
interface Asked {
  algorithm: string;
  variant: string;
  climb: Climb;
  position: number;
  map: TourMap;
}
/** Which two edges will leave the tour, by their positions; `pairs` are all edges of it. */
interface EdgesQuestion {
  kind: "edges";
  needs: 2;
  order: Int32Array;
  pairs: Int32Array;
  i: number;
  j: number;
  change: number;
  /** What the run makes: the best exchange, several of one scan, or the best that is not tabu. */
  rule: "best" | "several" | "tabu";
}
/**
 * Whether annealing's next draw is accepted, or its next accepted move makes the tour longer. Of the `before` draws or
 * moves that came before, `among` were or did; `skipped` draws are rejected before the next is accepted.
 */
interface ChoiceQuestion {
  kind: "choice";
  what: "accepted" | "longer";
  yes: boolean;
  /** Null where it is not recorded. */
  temperature: number | null;
  change: number;
  skipped: number;
  before: number;
  among: number;
}
/** Which of the cities that are still open comes after `from`. */
interface CityQuestion {
  kind: "city";
  needs: 1;
  rule: "nearest" | "ant";
  from: number;
  to: number;
  open: (city: number) => boolean;
}
/** Which edge, a–b, is added next. */
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

/** A length that a histogram marks, its colour, and what it is. */
interface Mark {
  at: number;
  hue: string;
  key: string;
}

// --- Exact solutions ----------------------------------------------------------------------------------------------

/** The work of an exact solution, as it is told at the start. */
type Plan = LayersValues & LayersArrays;
/** Sums over all layers. */
type Work = Record<"subsets" | "states" | "transitions", number>;
/** How far an exact solution has come: one row of a `front` frame. */
type FrontRow = Record<keyof FrontArrays, number>;

// --- Colonies -----------------------------------------------------------------------------------------------------

/** What 2-opt took off tours: one row of a `shortened` frame. */
type ShortenedRow = Record<keyof ShortenedArrays, number>;

/** The store `progress` (`stores.js`); `gap` in percent, null where no optimum is known (see `format.gapPercent`). */
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
  /** The length that no tour is below, null where none is known; what the best is above it, in percent. */
  bound: number | null;
  bound_gap: number | null;
  /** What the gap of the best is measured from: the optimum, else the bound; null where there is none. */
  reference: number | null;
}
/** The store `rows`: columns of the climbers that have finished since the last ones, and how many came before them. */
type NewRows = { run: string; first: number } & Record<keyof RowsArrays, number[]>;
