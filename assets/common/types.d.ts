// Types of what the server sends, of what the scripts tell each other, and of what other libraries put on the window.
// `tests/components/shell/test_components_types.py` holds the frames against `solvers/events.py` and the server.

// --- Frames -------------------------------------------------------------------------------------------------------

/** A frame as `frames.js` decodes it, of any kind where none is named; 64-bit integers are doubles. */
interface Frame<Kind extends string = any, Values = any, Arrays = any> {
  kind: Kind;
  values: Values & { at?: number };
  arrays: Arrays;
  shapes: Record<string, number[]>;
  /** Bytes. */
  size: number;
}

/** Cities in the order of a visit. */
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

/** The lower bound of a run's instance, as far as it is known: the whole course so far. */
interface BoundValues {
  state: "none" | "waiting" | "computing" | "done" | "failed";
  /** Why it failed, a sentence. */
  why: string;
  /** The length that no tour is below; null while nothing is proven. */
  length: number | null;
  /** Processor time, and 1-trees. */
  seconds: number;
  trees: number;
  /** Whether the ascent came to its end by itself. */
  ended: boolean;
}
/** A row each time that it rose. */
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
  /** At its start; 0 for edges. */
  length: number;
  /** Of an ant's construction that is explained, as the values of `Choices` and `Deposits` in `solvers/events.py`. */
  ant?: number;
  q0?: number;
  /** Length of the one tour that deposited; 0 if there were several. */
  deposited?: number;
  /** An ant deposits this much, divided by the length of its tour. */
  per_ant?: number;
  least?: number;
  most?: number;
  /** Of a construction whose steps also remove edges, as in `Steps`. */
  excess?: number;
  /** Of the best tour of a generation, if it is a child, as in `Crossover`. */
  first?: number;
  second?: number;
  first_length?: number;
  second_length?: number;
  children?: number;
}
interface ClimbArrays {
  /** Of moves, as `tours`, `i` and `j`: empty for edges. */
  at: Int32Array;
  tours: Int32Array;
  i: Int32Array;
  j: Int32Array;
  edges?: Int32Array;
  delta: Int32Array;
  /** Of an ant's construction that is explained: what it chose from, as `Choices` in `solvers/events.py`. */
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
  /** What the update did to its edges, as `Deposits`. */
  before?: Float32Array;
  kept?: Float32Array;
  after?: Float32Array;
  ants?: Int32Array;
  added?: Uint8Array;
  /** Of a construction whose steps also remove edges, as `Steps`. */
  changed?: Int32Array;
  lengths?: Int32Array;
  leaves?: Uint8Array;
  ends?: Int32Array;
  phase?: Uint8Array;
  /** Where its edges come from, as `Crossover`. */
  origin?: Uint8Array;
  removed?: Int32Array;
  /** Of moves whose step is recorded. */
  step?: Float64Array;
  control?: Float64Array;
}
/** The arrays of `Steps` in `solvers/events.py`. */
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
  /** i, j, delta of the move that led here, or -1, -1, 0. */
  last: Int32Array;
}
/** What the server tells of an instance of the dialog (`runs/web/instances.py`). */
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
  /** x of 180 degrees west and east on a map of the globe. */
  date_line: [number, number] | null;
  directed: boolean;
  /** "7 of 66 edges are missing", or nothing. */
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
  /** Of a cluster. */
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
/** What the lecturer of a shared server shows, if somebody leads; the host is told how many follow as well. */
interface LectureValues extends Partial<LecturePlace> {
  on: boolean;
  following?: number;
}
/** What a lecturer's page shows (`runs/lecture.py`). */
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
/** What a lecture works on, lent by a page that can be led. */
interface LectureStage {
  openRun: (id: string) => void;
  player: Pick<typeof import("../watch/player/players.js").player, "state" | "stand" | "standLive">;
  run: typeof import("../watch/run.js").run;
  views: typeof import("../watch/views.js").views;
  isReady: () => boolean;
}
/** The same, lent by the page of races. */
interface RaceStage {
  race: Race;
  player: typeof import("../race/player.js").racePlayer;
  /** The race that is open, as the address names it. */
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

// --- What the scripts tell each other (`events.js`) -----------------------------------------------------------------

interface PageEvents {
  // from the stream
  connection: boolean;
  status: StatusValues;
  refused: { run: string; sentence: string };
  lecture: LectureValues;
  instance: InstanceMessage;
  "log-message": LogMessage;
  "field-message": FieldMessage;
  "bound-message": BoundMessage;
  head: HeadMessage;
  // from the run that is open
  opened: OpenRun;
  closed: void;
  state: OpenRun;
  log: OpenRun;
  proof: OpenRun;
  /** What is known of the bound has changed. */
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
  /** A person has worked the player. */
  worked: void;
  explained: Explanation;
  /** Another edge of an update of the pheromone is asked about. */
  picked: undefined;
  /** Whether a tour is drawn by hand. */
  hand: boolean;
  picture: FieldPicture | null;
  /** Whether the tour's edges are compared with the optimal tour's has changed, or that tour has. */
  compared: null;
  /** Whether edges of the tour are left out that could be seen has changed. */
  thinned: boolean;
  // from what is read after the first view
  charts: void;
  /** The chart in the place of this id is drawn for the first time. */
  graph: string;
  // from maps, the theme and the dialog of instances
  map: TourMap;
  lens: Lens;
  theme: string;
  /** Land was fetched, in this detail. */
  land: string;
  instances: boolean;
  /** A picture was dropped or chosen where instances are. */
  image: File;
  // from races
  "race-opened": Race;
  "race-log": Race;
  "race-moment": RacePlayerState;
  "race-player": RacePlayerState;
  /** A file that the library's page has sent; `library/types.d.ts` says what else is told there. */
  adopted: { kind: LibraryKind; id: string };
}

/** What the library has entries of. */
type LibraryKind = "run" | "race" | "study";

/** Why the server refuses (`docs/server.md`). */
interface Refusal {
  sentence: string;
}

/** What an algorithm counts, and what there is to see of it (`components/shell/text.py`). */
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
interface TableTold {
  title: string;
  heads: string[];
  rows: string[][];
  note: string;
}
/** The matrix of a study (`components/study/matrix.py`). */
interface MatrixTold {
  entries: { letter: string; title: string; algorithm: string; colour: string; dash: string }[];
  rows: { name: string; mark: string; n: string; cells: MatrixCell[] }[];
}
/** The verdicts on the entries of a study (`components/study/tests.py`); a cell is null where it would be its own. */
interface VerdictsTold {
  title: string;
  corner: string;
  entries: MatrixTold["entries"];
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
  /** Of all, and the percentage of them; where not all are finished. */
  runs?: string;
  done?: number;
}
/** A table of coordinates whose columns are asked for (`components/instances/uploads.py`). */
interface AskedTable {
  filename: string;
  columns: AskedColumn[];
  rows: number;
  /** The numbers of the columns that may be x and y. */
  guess: [number, number];
  /** Of distance. */
  kind: string;
}
interface AskedColumn {
  name: string;
  numeric: boolean;
  sample: string[];
  /** Of the same rows in each column; null is no number. */
  values: (number | null)[];
}

// --- The window ---------------------------------------------------------------------------------------------------

/** A figure of Plotly's; its own types are larger than all scripts. */
interface Figure {
  data: any[];
  layout: any;
}

/** What a picture says of itself: what it is of, and more in smaller letters; parts are left out where they are empty. */
interface PictureTitle {
  head: string[];
  details: string[];
}
/** What `pictures.js` keeps of a person's choice: pixels of width, "" for as on the screen, and "page" for its theme. */
interface PictureChoice {
  width: string;
  gif: string;
  /** The sheet of a plotter's drawing, `a4` or `a3`. */
  paper: string;
  theme: string;
}

interface CallbackContext {
  triggered_id?: string;
  /** A row for each property that has changed. */
  triggered: { prop_id: string }[];
  inputs_list: { id: string; property: string; value: any }[];
  outputs_list: any;
}

interface Window {
  DashRenderer: new () => unknown;
  /** Of Dash's: the layout as it is now, by ids. */
  dash_component_api: { getLayout(id: string): { props: Record<string, any> } };
  dash_clientside: {
    set_props(id: string | object, props: Record<string, unknown>): void;
    no_update: unknown;
    callback_context: CallbackContext;
    [namespace: string]: any;
  };
  dashAgGridFunctions: Record<string, Function>;
  Plotly: any;
  /** The study that the address names, asked for by `early/study.js`. */
  firstStudy?: { id: string; answer: Promise<any> };
}

// --- What a page knows --------------------------------------------------------------------------------------------

/** How far a run has come, as its progress tells (`progress.js`). */
interface Course {
  elapsed: number;
  iterations: number;
  evaluations: number;
  /** Iterations, evaluations, seconds and length where the best fell. */
  bests: [number[], number[], number[], number[]];
}
interface Best {
  length: number;
  climber: number;
  order: Int32Array | null;
}
/** The run that is open (`watch/run.js`). */
interface OpenRun extends Course {
  id: string | null;
  spec: RunSpec | null;
  instance: InstanceValues | null;
  optimum: number | null;
  proven: boolean;
  /** Whether the run says that it has proven its best tour the shortest. */
  claims: boolean;
  /** Whether it has, as far as anybody knows, or the bound has. */
  proof: boolean;
  /** What is known of the lower bound of its instance; null before anything is. */
  bound: Frames["bound"] | null;
  /** Whether it came as a file, whose proofs are not believed. */
  adopted: boolean;
  /** Whether this visitor may pause and cancel it. */
  own: boolean;
  state: RunState;
  reason: string;
  compiling: boolean;
  started: StartedValues | null;
  finished: FinishedValues | null;
  best: Best | null;
  /** Climbers that are known to be there: 0 to known - 1. */
  known: number;
  /** Climbers that have finished. */
  rows: number;
  /** Evaluations of the climbers that have finished. */
  spent: number;
  /** Of finished climbers: how many by then, evaluations by then, length. */
  finals: Columns;
  /** Evaluations, elapsed. */
  clock: Columns;
}
/** Columns of numbers in bounded memory (`charts/series.js`). */
interface Columns {
  columns: number[][];
  push(row: number[]): void;
}
/** A recorded climb that can be walked, by its moves or by the edges of a construction. */
type Climb = import("../watch/climb.js").AnyClimb;
interface FieldPicture {
  field: Frames["field"];
  ants: Frames["ants"] | null;
}
/** What is on the canvas of the tour. */
interface View {
  climber: number;
  walk: "moves" | "edges" | "iteration";
  position: number;
  /** How many moves `length` is after: one less than `position` while the edges of a move leave. */
  made: number;
  count: number | null;
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
  live: boolean;
}
/** What two tours have in common, and what each has alone: pairs of cities. */
interface Compared {
  both: Int32Array;
  only: [Int32Array, Int32Array];
}

/** Where everything of an instance lies (`map/map.js`). */
interface TourMap {
  /** Whether distances are those on the globe. */
  globe: boolean;
  id: string;
  name: string;
  /** x and y of each city in turn. */
  xy: Float64Array;
  n: number;
  box: { x0: number; x1: number; y0: number; y1: number };
  /** How much longer a unit upwards is than one to the right. */
  ratio: number;
  optimalTour: Int32Array | null;
  /** Whether tours have a direction, which arrows show. */
  directed: boolean;
  /** Length of a missing edge; 0 if there are none. */
  missingWeight: number;
  /** Where a path begins and ends; null of a round trip, and where any city may be. */
  start: number | null;
  end: number | null;
  /** How many of the last cities stand for open ends and fixed edges. */
  added: number;
  /** What distances are computed from (`map/distances.js`), by TSPLIB's edge weight type. */
  measure: { kind: string; coordinates: Float64Array | null; weights: Int32Array | null };
  /** The length of the best known tour, and whether it is proven optimal. */
  optimum: number | null;
  proven: boolean;
  /** What the instance calls its cities; null where they are counted from 1. */
  labels: Float64Array | null;
  /** What they are called, one each, which may be empty; null where none has a name. */
  names: string[] | null;
}
/** What is left of a canvas for what is drawn, pixels. */
interface Room {
  width: number;
  height: number;
}
/** What a video is of (`assets/video/`): a moment of it is a share of the whole, 0 to 1. */
interface VideoScene {
  /** Of the file, without its ending. */
  name: string;
  /** What it shows, in a line: "climb 3". */
  title: string;
  /** The first line of its pictures: instance and algorithm. */
  head: string;
  /** Whether its moments can be shown beside each other on one sheet. */
  stills: boolean;
  /** Of what it shows: its height by its width. */
  shape: number;
  /** Have ready what it draws; called once, before the first picture, with how many pictures at most there will be. */
  prepare: (most: number, tell: (share: number) => void) => Promise<void>;
  /** Paint a moment of a video of so many seconds into a room that begins at the pen's origin. */
  paint: (pen: CanvasRenderingContext2D, room: Room, share: number, seconds: number) => void;
  /** What is said of a moment, in parts. */
  caption: (share: number, seconds: number) => string[];
}
/** Another scene that the dialog of videos offers. */
interface VideoOffer {
  title: string;
  make: () => Promise<VideoScene | null>;
}
/** What a page lends to the dialog of videos, whose script has no colours of its own. */
interface VideoPage {
  colour: (name: string) => string;
  inTheme: <Made>(theme: string, make: () => Made) => Made;
  /** Keep the animation that the server draws. */
  gif: () => void;
  /** What else there may be a video of. */
  others: VideoOffer[];
}
/** Where a map lies on a canvas. */
interface Place {
  fit: number;
  ratio: number;
  scale: number;
  x: number;
  y: number;
}
/** What a map is seen through: how close, and the pixel of the whole map in the canvas's corner. */
interface Lens {
  scale: number;
  x: number;
  y: number;
}
/** Coordinates of a line in turn; NaN is a gap. */
interface Line {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}
/** The names of some cities of a map, as `map/names.js` writes them, and the edges that they must not cover. */
interface CityNames {
  cities: number[];
  edges: Line[];
  cityName: (city: number) => string;
}
/** A line as `map/painter.js` paints it. */
interface PaintedLine {
  line: Line;
  /** Of the style sheet, as `colour` of `dom.js` takes it. */
  colour: string;
  /** Pixels. */
  width: number;
  /** In the legend of a picture; without one it has no entry. */
  name?: string;
  alpha?: number;
  /** Pixels that are painted and left out in turn. */
  dash?: number[];
  /** Whether its pieces are painted one by one, with round ends: where many cross, their union would take longer. */
  apart?: boolean;
  /** Whether arrows show its direction. */
  arrows?: boolean;
  /** Pixels across of discs at its points, which are painted in its place. */
  dots?: number;
}
/** How cities look: their diameter, and the width of their ring, 0 for a dot; in pixels. */
interface CityLook {
  size: number;
  ring: number;
}
/** An instance of the dialog. */
interface Card extends CardFacts {
  /** Of the menu of instances. */
  value: string;
  /** x to the right and y upwards of each city in turn, in units of their own. */
  positions: Uint16Array;
}
type CardElement = HTMLButtonElement & { card: Card };
/** What the server tells of a lane's algorithm (`components/race/lanes.py`). */
interface LaneView {
  letter: string;
  title: string;
  facts: string;
  colour: string;
  dash: string;
  /** What it counts; empty where its stages count different things. */
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
  /** Whether this visitor may pause and cancel it. */
  own: boolean;
  instance: Frames["instance"] | null;
  /** Of finished runs that were no race: what was not equal. */
  compared: string;
}
interface RacePlayerState {
  clock: number;
  playing: boolean;
  live: boolean;
  speed: number;
}
