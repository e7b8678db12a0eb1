// Data of a standalone run, written by `components/embed/embedded.py`.

interface EmbeddedRun {
  id: string;
  spec: RunSpec;
  state: RunState;
  reason: string;
  adopted: boolean;
  /** Number of climbers in the run, and number of included climbs. */
  climbers: number;
  held: number;
  /** The last included climber or iteration, counted from 0; -1 if there is none. */
  last: number;
  /** Iterations with included pheromone. */
  fields: number[];
}
interface Embedded {
  run: EmbeddedRun;
  /** Units of its algorithms, by name. */
  units: Record<string, Units>;
  /** Offset and size of each part in bytes. */
  parts: Record<string, [from: number, size: number]>;
}
interface EmbeddedRace {
  lanes: { state: RunState; reason: string; algorithms: string[]; seed: number }[];
  views: LaneView[];
  parts: Embedded["parts"];
}
