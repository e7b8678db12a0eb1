// What is told of a run by itself; `components/embed/embedded.py` writes it.

interface EmbeddedRun {
  id: string;
  spec: RunSpec;
  state: RunState;
  reason: string;
  adopted: boolean;
  /** How many climbers the run had, and how many of their climbs are here. */
  climbers: number;
  held: number;
  /** The last climber whose climb is here, or iteration that is pictured, counted from 0; -1 where there is none. */
  last: number;
  /** Iterations whose pheromone is here. */
  fields: number[];
}
interface Embedded {
  run: EmbeddedRun;
  /** Of the algorithms of its stages, by their names. */
  units: Record<string, Units>;
  /** Where each part begins, and its bytes. */
  parts: Record<string, [from: number, size: number]>;
}
interface EmbeddedRace {
  lanes: { state: RunState; reason: string; algorithms: string[]; seed: number }[];
  views: LaneView[];
  parts: Embedded["parts"];
}
