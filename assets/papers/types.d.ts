// Types of the papers' page: what `components/papers/entry.py` and `components/papers/routes.py` answer.

interface PaperCell {
  text: string;
  /** The standard deviation that the paper tells. */
  spread?: string;
  /** How many times as good as the paper's figure it is. */
  ratio?: string;
  /** Whether it falls short of the paper. */
  short?: boolean;
}

interface PaperTable {
  /** What the rows are. */
  head: string;
  columns: { name: string; unit: string }[];
  /** Whether lines say where they come from. */
  sources: boolean;
  rows: { name: string; lines: { source: string; ours: boolean; cells: PaperCell[] }[] }[];
}

interface PaperEntry {
  /** As in an address: "uchida/table-ii". */
  name: string;
  id: string;
  place: string;
  title: string;
  headline: string;
  drawing: string;
  short: string;
  figure: Figure | null;
  /** Of a chart of throughput; the first is as measured. */
  views: { label: string; figure: Figure }[];
  table: PaperTable | null;
  sources: string[];
  remarks: string[];
  note: string;
  likeness: string;
  /** What we see, and why it differs. */
  finding: string;
  /** The address of its run on Watch, empty if it is of no single run. */
  run: string;
  ratios: boolean;
  summary: string;
  command: string;
  /** Whether it was measured here, also in full, and why it cannot be. */
  here: { measured: boolean; full: boolean; reason: string };
}

interface PaperTold {
  id: string;
  title: string;
  about: string;
  read: string;
  order: string;
  entries: PaperEntry[];
}

interface PaperJob {
  state: "queued" | "waiting" | "measuring" | "failed";
  quick: boolean;
  seconds: number;
  before: number;
  sentence: string;
  /** Whether this visitor may cancel it. */
  own: boolean;
}
