// Types of the server's messages, of events between scripts, and of globals of other libraries.
// `tests/components/shell/test_components_types.py` compares the frames with `solvers/core/events.py` and the server.

// --- Frames -------------------------------------------------------------------------------------------------------

/** A frame decoded by `frames.js`, of any kind unless one is given; 64-bit integers become doubles. */
interface Frame<Kind extends string = any, Values = any, Arrays = any> {
  kind: Kind;
  values: Values & { at?: number };
  arrays: Arrays;
  shapes: Record<string, number[]>;
  /** In bytes. */
  size: number;
}

/** Cities in visiting order. */
type Order = Int32Array | Uint16Array;

interface Frames {
  compiling: Frame<"compiling", {}, {}>;
  started: Frame<"started", StartedValues, {}>;
  progress: Frame<"progress", {}, ProgressArrays>;
  tour: Frame<"tour", { length: number; climber: number }, { order: Int32Array }>;
  rows: Frame<"rows", {}, RowsArrays>;
  colony: Frame<"colony", {}, ColonyArrays>;
  ants: Frame<"ants", { iteration: number }, { lengths: Float64Array }>;
  field: Frame<"field", FieldValues, FieldArrays>;
  phases: Frame<"phases", {}, PhasesArrays>;
  shortened: Frame<"shortened", { best: boolean }, ShortenedArrays>;
  replicas: Frame<"replicas", { evaluations: number }, ReplicasArrays>;
  population: Frame<"population", {}, PopulationArrays>;
  individuals: Frame<"individuals", { iteration: number; size: number }, { lengths: Float64Array }>;
  tabu: Frame<"tabu", TabuValues, TabuArrays>;
  layers: Frame<"layers", LayersValues, LayersArrays>;
  front: Frame<"front", { proven: boolean }, FrontArrays>;
  tree: Frame<"tree", { proven: boolean }, TreeArrays>;
  finished: Frame<"finished", FinishedValues, { order: Int32Array }>;
  instance: Frame<"instance", InstanceValues, InstanceArrays>;
  state: Frame<"state", { state: RunState; reason: string }, {}>;
  climb: Frame<"climb", ClimbValues, ClimbArrays>;
  head: Frame<"head", HeadValues, HeadArrays>;
  film: Frame<"film", { seconds: number }, { at: Float64Array; length: Float64Array; orders: Order }>;
  bound: Frame<"bound", BoundValues, BoundArrays>;
  instances: Frame<"instances", { cards: CardFacts[] }, { positions: Uint16Array; starts: Int32Array }>;
}
type AnyFrame = Frames[keyof Frames];

/** The lower bound of a run's instance, with its whole progress. */
interface BoundValues {
  state: "none" | "waiting" | "computing" | "done" | "failed";
  /** The reason for a failure, as a sentence. */
  why: string;
  /** The proven lower bound; null while nothing is proven. */
  length: number | null;
  /** Seconds of processor time, and number of 1-trees. */
  seconds: number;
  trees: number;
  /** Whether the ascent is complete. */
  ended: boolean;
}
/** One row for each rise of the bound. */
interface BoundArrays {
  second: Float64Array;
  tree: Float64Array;
  bound: Float64Array;
}
interface StartedValues {
  algorithm: string;
  variant: string;
  device: string;
  threads: number;
  compile_seconds: number;
  repeatable: boolean;
}
interface ProgressArrays {
  iteration: Float64Array;
  evaluations: Float64Array;
  elapsed: Float64Array;
  best: Float64Array;
  current: Float64Array;
  mean: Float64Array;
}
interface RowsArrays {
  climber: Int32Array;
  length: Float64Array;
  moves: Int32Array;
  evaluations: Float64Array;
  seconds: Float64Array;
}
interface ColonyArrays {
  iteration: Float64Array;
  best: Float64Array;
  mean: Float64Array;
  worst: Float64Array;
  entropy: Float64Array;
  branching: Float64Array;
  trials: Float64Array;
}
interface TabuValues {
  climber: number;
  step: number;
  length: number;
}
interface TabuArrays {
  order: Int32Array;
  removed: Int32Array;
  added: Int32Array;
}
interface PopulationArrays {
  iteration: Float64Array;
  best: Float64Array;
  mean: Float64Array;
  worst: Float64Array;
  edges: Float64Array;
  shared: Float64Array;
}
interface FieldValues {
  iteration: number;
  low: number;
  high: number;
}
interface FieldArrays {
  heat: Uint8Array;
  order: Int32Array;
  edges: Int32Array;
  trail: Float32Array;
}
interface PhasesArrays {
  iteration: Float64Array;
  choice: Float64Array;
  construction: Float64Array;
  update: Float64Array;
  best: Float64Array;
}
interface ReplicasArrays {
  temperature: Float64Array;
  replica: Float64Array;
  length: Float64Array;
  acceptance: Float64Array;
  exchanges: Float64Array;
}
interface ShortenedArrays {
  iteration: Float64Array;
  before: Float64Array;
  after: Float64Array;
  milliseconds: Float64Array;
}
interface LayersValues {
  inner: number;
  outer: number;
  item: number;
  memory: number;
}
interface LayersArrays {
  subsets: Float64Array;
  states: Float64Array;
  transitions: Float64Array;
  bytes: Float64Array;
  cities: Float64Array;
  cities_transitions: Float64Array;
  cities_bytes: Float64Array;
}
interface FrontArrays {
  layer: Float64Array;
  subsets: Float64Array;
  states: Float64Array;
  transitions: Float64Array;
  elapsed: Float64Array;
}
interface TreeArrays {
  node: Float64Array;
  open: Float64Array;
  depth: Float64Array;
  cuts: Float64Array;
  relaxations: Float64Array;
  columns: Float64Array;
  bound: Float64Array;
  length: Float64Array;
  elapsed: Float64Array;
}
interface FinishedValues {
  length: number;
  iterations: number;
  evaluations: number;
  seconds: number;
  seconds_to_best: number;
  compile_seconds: number;
  stop_reason: string;
  device: string;
  threads: number;
  versions: Record<string, string>;
}
interface InstanceValues {
  name: string;
  edge_weight_type: string;
  n: number;
  display_note: string;
  comment: string;
  optimum: number | null;
  proven: boolean;
  sha256: string;
  source: string;
  warnings: string[];
  directed: boolean;
  missing: number;
  missing_weight: number;
  start?: number;
  end?: number;
  fixed?: number[][];
  added?: number;
  names?: string[];
}
interface InstanceArrays {
  coordinates?: Float64Array;
  weights?: Int32Array;
  display: Float64Array;
  optimal_tour?: Int32Array;
  node_ids?: Float64Array;
}
interface ClimbValues {
  climber: number;
  walk: "moves" | "edges";
  /** False while the climb is unfinished. */
  complete: boolean;
  /** Initial length; 0 for edges. */
  length: number;
  /** For an explained construction of an ant: the values of `Choices` and `Deposits` in `solvers/core/events.py`. */
  ant?: number;
  q0?: number;
  /** Length of the only tour that deposited; 0 if there were several. */
  deposited?: number;
  /** An ant deposits this much, divided by the length of its tour. */
  per_ant?: number;
  least?: number;
  most?: number;
  /** For a construction whose steps also remove edges, as in `Steps`. */
  excess?: number;
  /** For the best tour of a generation, if it is a child, as in `Crossover`. */
  first?: number;
  second?: number;
  first_length?: number;
  second_length?: number;
  children?: number;
}
interface ClimbArrays {
  /** For moves, like `tours`, `i` and `j`: empty for edges. */
  at: Int32Array;
  tours: Int32Array;
  i: Int32Array;
  j: Int32Array;
  edges?: Int32Array;
  delta: Int32Array;
  /** For an explained construction of an ant: its choices, as in `Choices` of `solvers/core/events.py`. */
  order?: Int32Array;
  city?: Int32Array;
  share?: Float32Array;
  luck?: Float32Array;
  chosen?: Float32Array;
  mode?: Uint8Array;
  draws?: Uint8Array;
  q?: Float32Array;
  draw?: Float32Array;
  low?: Float32Array;
  high?: Float32Array;
  /** Effect of the pheromone update on the tour's edges, as in `Deposits`. */
  before?: Float32Array;
  kept?: Float32Array;
  after?: Float32Array;
  ants?: Int32Array;
  added?: Uint8Array;
  /** For a construction whose steps also remove edges, as in `Steps`. */
  changed?: Int32Array;
  lengths?: Int32Array;
  leaves?: Uint8Array;
  ends?: Int32Array;
  phase?: Uint8Array;
  /** Origin of the tour's edges, as in `Crossover`. */
  origin?: Uint8Array;
  removed?: Int32Array;
  /** For moves with recorded steps. */
  step?: Float64Array;
  control?: Float64Array;
}
/** The arrays of `Steps` in `solvers/core/events.py`. */
type StepArrays = Required<Pick<ClimbArrays, "changed" | "lengths" | "leaves" | "ends" | "phase">>;
interface HeadValues {
  climber: number;
  move: number;
  length: number;
  at: number;
  elapsed: number;
  walk: "moves" | "edges";
}
interface HeadArrays {
  order?: Int32Array;
  edges?: Int32Array;
  /** i, j and delta of up to three moves, the last move first; -1, -1, 0 if unknown. */
  last: Int32Array;
}
/** The server's data on an instance in the dialog (`runs/web/instances.py`). */
interface CardFacts {
  reference: Record<string, unknown>;
  name: string;
  n: number;
  kind: string;
  optimum: number | null;
  proven: boolean;
  tour: boolean;
  source: string;
  comment: string;
  scaled: boolean;
  closed: boolean;
  /** x of 180 degrees west and of 180 degrees east on a map of the globe. */
  date_line: [number, number] | null;
  directed: boolean;
  /** "7 of 66 edges are missing", or empty. */
  missing: string;
}

// --- Messages of the stream ---------------------------------------------------------------------------------------

type RunState =
  | "none"
  | "starting"
  | "queued"
  | "running"
  | "paused"
  | "finished"
  | "cancelled"
  | "failed"
  | "interrupted";

interface Message<What extends string> {
  what: What;
  run: string;
  message: number;
  state: RunState;
  reason: string;
}
interface OpenedValues extends Message<"instance"> {
  spec: RunSpec;
  adopted: boolean;
  own: boolean;
}
interface LogValues extends Message<"log"> {
  seqs: number[];
  ats: number[];
  fields: number[];
}
type AnyMessage = OpenedValues | LogValues | Message<"head"> | Message<"field"> | Message<"bound">;
interface BoundMessage {
  run: string;
  frame: Frames["bound"];
}
interface InstanceMessage {
  values: OpenedValues;
  frames: Frames["instance"][];
}
interface LogMessage {
  values: LogValues;
  frames: AnyFrame[];
}
interface HeadMessage {
  run: string;
  frame: Frames["head"];
  frames: Frames["head"][];
  message: number;
  state: RunState;
}
interface FieldMessage {
  frames: (Frames["field"] | Frames["ants"])[];
  message: number;
}
interface StatusValues {
  devices: { kind: string; name: string; available: boolean; reason?: string }[];
  spare: "starting" | "compiling" | "ready";
  runs: number;
  kernels?: { done: number; of: number };
  /** For a cluster. */
  nodes?: {
    name: string;
    alive: boolean;
    cores: number;
    gpus: number;
    devices: string[];
    refusal: string;
    runs: string[];
    study: number;
  }[];
}
/** The lecturer's position on a shared server, if somebody leads; the host also gets the number of followers. */
interface LectureValues extends Partial<LecturePlace> {
  on: boolean;
  following?: number;
}
/** The lecturer's page and position (`runs/lecture.py`). */
interface LecturePlace {
  lecture: string;
  page: string;
  query: string;
  run: string;
  view: string;
  climb: number;
  position: number;
  live: boolean;
}
/** A person's part in the class (`runs/lecture.py`). */
interface ClassValues {
  host: boolean;
  /** Nickname; empty if there is none. */
  name: string;
  /** Whether the host removed the nickname. */
  removed: boolean;
  question: AskedQuestion | null;
}
/** A text by its key, or names that all languages share. */
type Said = string | { key: string; values?: Record<string, string | { measure: number }> };
/** Source of a question's words, as JSON in `AskedQuestion.source`: the keys of texts, or the step of a lesson. */
type QuestionSource = { language: string } & ({ text: Said[]; answers: Said[] } | { lesson: string; step: number });
/** The question to the class, with what this visitor may see (`runs/question.py`). */
interface AskedQuestion {
  id: string;
  text: string;
  answers: string[];
  phase: "open" | "closed" | "revealed";
  own: number | null;
  /** The right answer, and how many visitors chose each answer; null for visitors until the right one is revealed. */
  right: number | null;
  counts: number[] | null;
  marks: AskedMarks | null;
  /** A `QuestionSource` as JSON; empty if there is none. */
  source: string;
}
/** The answers on the map of a run at one move: for each answer a city, or the ends of its edges. */
interface AskedMarks {
  run: string;
  climb: number;
  position: number;
  cities: number[][];
}
/** State of a page that a lecture can control. */
interface LectureStage {
  /** Mark answers on the map with letters; taps call `choose`, if given, with the number of an answer. */
  letter: (cities: number[][], choose: ((answer: number) => void) | null) => void;
  openRun: (id: string) => void;
  player: Pick<typeof import("../watch/player/players.js").player, "state" | "goToPlace" | "goLive">;
  run: typeof import("../watch/run.js").run;
  views: typeof import("../watch/views.js").views;
  isReady: () => boolean;
}
/** State of the race page that a lecture can control. */
interface RaceStage {
  race: Race;
  player: typeof import("../race/player.js").racePlayer;
  /** The open race, as in the address. */
  named: () => string;
  isReady: () => boolean;
}
interface RunSpec {
  instance: Record<string, unknown>;
  stages: { algorithm: string; params: Record<string, any> }[];
  seed: number;
  device: string;
  budget: { seconds?: number; iterations?: number; evaluations?: number };
}

// --- Events between the scripts (`events.js`) -----------------------------------------------------------------------

interface PageEvents {
  // from the stream
  connection: boolean;
  status: StatusValues;
  refused: { run: string; sentence: string };
  lecture: LectureValues;
  class: ClassValues;
  instance: InstanceMessage;
  "log-message": LogMessage;
  "field-message": FieldMessage;
  "bound-message": BoundMessage;
  head: HeadMessage;
  // from the open run
  opened: OpenRun;
  closed: void;
  state: OpenRun;
  log: OpenRun;
  proof: OpenRun;
  /** The bound or the state of its computation has changed. */
  bound: OpenRun;
  best: Best;
  rows: RowsArrays;
  colony: Frames["colony"];
  phases: PhasesArrays;
  shortened: Frames["shortened"];
  population: Frames["population"];
  individuals: Frames["individuals"];
  tabu: Frames["tabu"];
  layers: Frames["layers"];
  front: Frames["front"];
  tree: Frames["tree"];
  pictured: number[];
  climb: Climb;
  // from the players
  player: PlayerState;
  view: View;
  viewed: string;
  /** A person has used the player. */
  worked: void;
  /** A button of the menu of downloads was pressed. */
  save: string;
  explained: Explanation;
  /** Another edge of a pheromone update was selected. */
  picked: undefined;
  /** Whether a tour is being drawn by hand. */
  hand: boolean;
  picture: FieldPicture | null;
  /** The comparison of the tour's edges with the optimal tour was toggled, or that tour has changed. */
  compared: null;
  /** Visible edges of the tour are now omitted, or no longer are. */
  thinned: boolean;
  // from scripts that are loaded after the first view
  charts: void;
  /** The chart with this id is drawn for the first time. */
  graph: string;
  // from maps, the theme and the dialog of instances
  map: TourMap;
  lens: Lens;
  theme: string;
  /** Land was fetched, in this detail. */
  land: string;
  instances: boolean;
  /** A picture was dropped or chosen where instances are expected. */
  image: File;
  // from races
  "race-opened": Race;
  "race-log": Race;
  "race-moment": RacePlayerState;
  "race-player": RacePlayerState;
  /** A file was uploaded on the library page; `library/types.d.ts` has the other events there. */
  adopted: { kind: LibraryKind; id: string };
}

/** Kinds of entries in the library. */
type LibraryKind = "run" | "race" | "study";

/** The server's reason for a refusal (`docs/server.md`). */
interface Refusal {
  sentence: string;
}

/** Units and views of an algorithm (`components/shell/facts.py`). */
interface Units {
  title: string;
  iteration: string;
  evaluation: string;
  step: string;
  first: number;
  views: string[];
  whole?: boolean;
  colony?: boolean;
  exact?: boolean;
}

/** A table of a study or of the library (`components/study/tables.py`). */
interface TableJson {
  title: string;
  heads: string[];
  rows: string[][];
  note: string;
}
/** The matrix of a study (`components/study/matrix.py`). */
interface MatrixJson {
  entries: { letter: string; title: string; algorithm: string; colour: string; dash: string }[];
  rows: { name: string; mark: string; n: string; cells: MatrixCell[] }[];
}
/** The verdicts on the entries of a study (`components/study/tests.py`); a cell is null on the diagonal. */
interface VerdictsJson {
  title: string;
  corner: string;
  entries: MatrixJson["entries"];
  cells: (VerdictCell | null)[][];
  note: string;
}
interface VerdictCell {
  outcome: "better" | "worse" | "split" | "none" | "alike" | "unknown";
  sign: string;
  text: string;
  detail: string;
}
interface MatrixCell {
  text: string;
  least: boolean;
  /** Number and percentage of runs, if not all are finished. */
  runs?: string;
  done?: number;
}
/** A table of coordinates whose columns are to be chosen (`components/instances/uploads.py`). */
interface AskedTable {
  filename: string;
  columns: AskedColumn[];
  rows: number;
  /** The likely columns for x and y. */
  guess: [number, number];
  /** Kind of distance. */
  kind: string;
}
interface AskedColumn {
  name: string;
  numeric: boolean;
  sample: string[];
  /** The column's values in the sample rows; null for text that is no number. */
  values: (number | null)[];
}

// --- The window ---------------------------------------------------------------------------------------------------

/** A Plotly figure; Plotly's own types are larger than all scripts. */
interface Figure {
  data: any[];
  layout: any;
}

/** Title of a picture, with details in smaller type; empty parts are left out. */
interface PictureTitle {
  head: string[];
  details: string[];
}
/**
 * The choice stored by `pictures.js`: the width in pixels, or "" for the width on the screen; the theme, or "page" for
 * the page's.
 */
interface PictureChoice {
  width: string;
  gif: string;
  /** Sheet of a plotter drawing, `a4` or `a3`. */
  paper: string;
  theme: string;
}

interface CallbackContext {
  triggered_id?: string;
  /** A row for each changed property. */
  triggered: { prop_id: string }[];
  inputs_list: { id: string; property: string; value: any }[];
  outputs_list: any;
}

interface Window {
  DashRenderer: new () => unknown;
  /** Dash's current layout, by id. */
  dash_component_api: { getLayout(id: string): { props: Record<string, any> } };
  dash_clientside: {
    set_props(id: string | object, props: Record<string, unknown>): void;
    no_update: unknown;
    callback_context: CallbackContext;
    [namespace: string]: any;
  };
  dashAgGridFunctions: Record<string, Function>;
  Plotly: any;
  /** The study in the address, requested by `early/study.js`. */
  firstStudy?: { id: string; answer: Promise<any> };
}

// --- State of a page ------------------------------------------------------------------------------------------------

/** Progress of a run (`progress.js`). */
interface Course {
  elapsed: number;
  iterations: number;
  evaluations: number;
  /** Iterations, evaluations, seconds and length of each improvement. */
  bests: [number[], number[], number[], number[]];
}
interface Best {
  length: number;
  climber: number;
  order: Int32Array | null;
}
/** The open run (`watch/run.js`). */
interface OpenRun extends Course {
  id: string | null;
  spec: RunSpec | null;
  instance: InstanceValues | null;
  optimum: number | null;
  proven: boolean;
  /** Whether the run claims to have proven its best tour optimal. */
  claims: boolean;
  /** Whether the optimum is proven, as far as known, by the run or the bound. */
  proof: boolean;
  /** The lower bound of its instance; null if unknown. */
  bound: Frames["bound"] | null;
  /** Whether the run was imported from a file, whose proofs are not trusted. */
  adopted: boolean;
  /** Whether the current visitor may pause and cancel it. */
  own: boolean;
  state: RunState;
  reason: string;
  compiling: boolean;
  started: StartedValues | null;
  finished: FinishedValues | null;
  best: Best | null;
  /** Number of known climbers, 0 to known - 1. */
  known: number;
  /** Number of finished climbers. */
  rows: number;
  /** Evaluations of the finished climbers. */
  spent: number;
  /** For each finished climber: number of climbers so far, evaluations so far, and length. */
  finals: Columns;
  /** Evaluations and elapsed time. */
  clock: Columns;
}
/** Columns of numbers in bounded memory (`charts/series.js`). */
interface Columns {
  columns: number[][];
  push(row: number[]): void;
}
/** A recorded climb that can be played, by its moves or by the edges of a construction. */
type Climb = import("../watch/climbs/climb.js").AnyClimb;
interface FieldPicture {
  field: Frames["field"];
  ants: Frames["ants"] | null;
}
/** Contents of the tour's canvas. */
interface View {
  climber: number;
  walk: "moves" | "edges" | "iteration";
  position: number;
  /** Number of moves applied for `length`: one less than `position` while the edges of a move are being removed. */
  made: number;
  count: number | null;
  /** Number of moves per step; one by default. */
  stride?: number;
  whole?: boolean;
  length: number;
  delta: number | null;
  resting: boolean;
  live: boolean;
  note?: string;
  /** Whether the steps of a construction also remove edges. */
  stepped?: boolean;
}
interface PlayerState {
  climb: number;
  position: number;
  playing: boolean;
  speed: number;
  /** Whether a person has chosen the speed. */
  chosen: boolean;
  /** Whether a person has chosen the climb. */
  climbChosen: boolean;
  live: boolean;
}
/** The edges that two tours share, and the edges of only one of them, as flat pairs of cities. */
interface Compared {
  both: Int32Array;
  only: [Int32Array, Int32Array];
}

/** Positions and properties of an instance's map (`map/map.js`). */
interface TourMap {
  /** Whether distances are on the globe. */
  globe: boolean;
  id: string;
  name: string;
  /** x and y of each city in turn. */
  xy: Float64Array;
  n: number;
  box: { x0: number; x1: number; y0: number; y1: number };
  /** Length of a vertical unit relative to a horizontal one. */
  ratio: number;
  optimalTour: Int32Array | null;
  /** Whether tours have a direction, shown by arrows. */
  directed: boolean;
  /** Length of a missing edge; 0 if there are none. */
  missingWeight: number;
  /** First and last city of a path; null for a round trip, or if any city may be first or last. */
  start: number | null;
  end: number | null;
  /** Number of cities at the end that stand for open ends and fixed edges. */
  added: number;
  /** Data for computing distances (`map/distances.js`), by TSPLIB's edge weight type. */
  measure: { kind: string; coordinates: Float64Array | null; weights: Int32Array | null };
  /** Length of the best known tour, and whether it is proven optimal. */
  optimum: number | null;
  proven: boolean;
  /** The numbers of the cities in the instance; null if they are counted from 1. */
  labels: Float64Array | null;
  /** Name of each city, which may be empty; null if none has a name. */
  names: string[] | null;
}
/** Space left on a canvas for drawing, in pixels. */
interface Room {
  width: number;
  height: number;
}
/** Scene of a video (`assets/video/`); moments are shares of the whole, 0 to 1. */
interface VideoScene {
  /** File name without suffix. */
  name: string;
  /** Short title: "climb 3". */
  title: string;
  /** First line of its pictures: instance and algorithm. */
  head: string;
  /** Whether several moments can be shown on one sheet. */
  stills: boolean;
  /** Ratio of height to width. */
  shape: number;
  /** Prepare the data to draw; called once before the first picture, with the maximum number of pictures. */
  prepare: (most: number, tell: (share: number) => void) => Promise<void>;
  /** Paint the moment `share` of a video of this length into a space at the pen's origin. */
  paint: (pen: CanvasRenderingContext2D, room: Room, share: number, seconds: number) => void;
  /** Caption at a moment, in parts. */
  caption: (share: number, seconds: number) => string[];
}
/** Another scene offered in the dialog of videos. */
interface VideoOffer {
  title: string;
  make: () => Promise<VideoScene | null>;
}
/** Helpers of a page for the dialog of videos, whose script has no colours of its own. */
interface VideoPage {
  colour: (name: string) => string;
  inTheme: <Made>(theme: string, make: () => Made) => Made;
  /** Save the animation drawn by the server. */
  gif: () => void;
  /** Other scenes for a video. */
  others: VideoOffer[];
}
/** Position of a map on a canvas. */
interface Place {
  fit: number;
  ratio: number;
  scale: number;
  x: number;
  y: number;
}
/** Lens over a map: zoom, and the pixel of the whole map in the canvas's corner. */
interface Lens {
  scale: number;
  x: number;
  y: number;
}
/** Consecutive coordinates of a line; NaN is a gap. */
interface Line {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}
/** A letter beside a city, or on the edge between two cities. */
interface PlacedLetter {
  cities: number[];
  letter: string;
}
/** Names of cities on a map for `map/names.js`, the edges that they must not cover, and letters on edges. */
interface CityNames {
  cities: number[];
  edges: Line[];
  cityName: (city: number) => string;
  letters?: PlacedLetter[];
}
/** A line for `map/painter.js`. */
interface PaintedLine {
  line: Line;
  /** Name of a style sheet colour, for `colour` of `dom.js`. */
  colour: string;
  /** In pixels. */
  width: number;
  /** Name in the legend of a picture; without a name, the line has no entry. */
  name?: string;
  alpha?: number;
  /** Lengths of dashes and gaps in pixels, in turn. */
  dash?: number[];
  /**
   * Whether its pieces are painted one by one with round ends, which is faster than painting their union where many
   * cross.
   */
  apart?: boolean;
  /** Whether arrows show its direction. */
  arrows?: boolean;
  /** Diameter in pixels of discs that are painted at its points instead of a line. */
  dots?: number;
  /**
   * Radii in map units of discs at its points, which are painted as one area instead of a line; each radius is reduced
   * by `width` pixels.
   */
  radii?: ArrayLike<number>;
}
/** Style of cities in pixels: their diameter, and the width of their rings, which is 0 for dots. */
interface CityLook {
  size: number;
  ring: number;
}
/** An instance in the dialog. */
interface Card extends CardFacts {
  /** Value in the menu of instances. */
  value: string;
  /** x (to the right) and y (upwards) of each city in turn, in the instance's own units. */
  positions: Uint16Array;
}
type CardElement = HTMLButtonElement & { card: Card };
/** The server's data on a lane's algorithm (`components/race/lanes.py`). */
interface LaneView {
  letter: string;
  title: string;
  facts: string;
  colour: string;
  dash: string;
  /** Unit of iterations; empty if its stages have different units. */
  iteration: string;
  evaluation: string;
}
interface Race {
  id: string | null;
  lanes: import("../race/lane.js").Lane[];
  views: LaneView[];
  optimum: number | null;
  proven: boolean;
  state: "none" | "running" | "paused" | "over";
  seconds: number | null;
  seed: number | null;
  alone?: boolean;
  /** Whether the current visitor may pause and cancel it. */
  own: boolean;
  instance: Frames["instance"] | null;
  /** For finished runs that were not a race: the conditions in which they differ. */
  compared: string;
}
interface RacePlayerState {
  clock: number;
  playing: boolean;
  live: boolean;
  speed: number;
}

// --- Elements -----------------------------------------------------------------------------------------------------

/** The type of element made from a selector with a tag and classes, such as "p.note". */
type SelectedElement<Selector extends string> =
  (Selector extends `${infer Tag}.${string}` ? Tag : Selector) extends infer Tag extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[Tag]
    : never;
