// Types of races: the page's stored data of a race, and the shown data of its lanes.

/** A race, or finished runs side by side, as in the page's store (`components/race/setup.py`, `finished.py`). */
interface ShownRace {
  race: string;
  runs: string[];
  lanes: LaneView[];
  state: "running" | "paused" | "over";
  alone: boolean;
  /** The value of the instance menu. */
  instance: string;
  seconds: number | null;
  /** None for finished runs that were no race, which may have different seeds. */
  seed?: number | null;
  /** Whether this visitor may pause and cancel it; absent for finished runs that were no race. */
  own?: boolean;
  /** For finished runs that were no race: what differed between them. */
  compared?: string;
}

type Lane = import("./lane.js").Lane;

/** The length of a tour, and the time at which it was reached. */
interface TimedLength {
  length: number;
  /** Seconds on the lane's clock. */
  at: number;
}
/** A tour of a film, with its index in the film. */
interface FilmPicture extends TimedLength {
  order: Order;
  number: number;
}
/** The shown data of a lane at a moment. */
interface Moment {
  best: TimedLength | null;
  /** The current tour. */
  work: FilmPicture | null;
  /** The best tour whose order is known. */
  order: Order | null;
}

/** A line on a panel; `colour` is a CSS variable. */
interface DrawnLine {
  line: Line;
  colour: string;
  width: number;
  alpha?: number;
  arrows?: boolean;
}

/** A panel as it was last drawn. */
interface Panel {
  shown: string;
  /** The best tour and the current one. */
  seen: (Order | null | undefined)[];
  painter: ReturnType<typeof import("../common/map/painter.js").makePainter> | null;
  stats: ReturnType<typeof import("../common/frame_stats.js").makeStats>;
}

/** A lane's line on the chart: its improvements, and its progress. */
interface Curve {
  x: number[];
  y: number[];
}

/** The position of a lane's map in a picture of the race, in pixels from the lower left corner. */
interface Cell {
  x: number;
  y: number;
  wide: number;
  high: number;
}
