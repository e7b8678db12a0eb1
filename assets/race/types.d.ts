// Types of races: what the page stores of one, and what is shown of its lanes.

/** A race, or finished runs side by side, as the page's store has it (`components/race/setup.py`, `finished.py`). */
interface ShownRace {
  race: string;
  runs: string[];
  lanes: LaneView[];
  state: "running" | "paused" | "over";
  alone: boolean;
  /** As the menu of instances has it. */
  instance: string;
  seconds: number | null;
  /** None of finished runs that were no race, which may have different ones. */
  seed?: number | null;
  /** Whether this visitor may pause and cancel it; of finished runs that were no race there is nothing to do. */
  own?: boolean;
  /** Of finished runs that were no race: what was not equal. */
  compared?: string;
}

type Lane = import("./lane.js").Lane;

/** The length of a tour, and when it was reached. */
interface TimedLength {
  length: number;
  /** Seconds on the lane's clock. */
  at: number;
}
/** A tour that a film has, and its number there. */
interface FilmPicture extends TimedLength {
  order: Order;
  number: number;
}
/** What is shown of a lane at a moment. */
interface Moment {
  best: TimedLength | null;
  /** The current tour. */
  work: FilmPicture | null;
  /** The best tour that is known as a whole. */
  order: Order | null;
}

/** A line on a panel; `colour` is a variable of the style sheet. */
interface DrawnLine {
  line: Line;
  colour: string;
  width: number;
  alpha?: number;
  arrows?: boolean;
}

/** A panel as it was drawn last. */
interface Panel {
  shown: string;
  /** The best tour and the current one. */
  seen: (Order | null | undefined)[];
  painter: ReturnType<typeof import("../common/map/painter.js").makePainter> | null;
  stats: ReturnType<typeof import("../common/frame_stats.js").makeStats>;
}

/** A lane's line on the chart: where its length improved, and how far it has come. */
interface Curve {
  x: number[];
  y: number[];
}

/** Where a lane's map lies in a picture of the race, in pixels from the lower left corner. */
interface Cell {
  x: number;
  y: number;
  wide: number;
  high: number;
}
