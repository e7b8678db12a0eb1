// Types of the papers' page: the responses of `components/papers/entry.py` and `components/papers/routes.py`.

interface PaperCell {
  text: string;
  /** The CPU that computed the figure, in a GPU's result. */
  cores?: string;
  /** The standard deviation in the paper. */
  spread?: string;
  /** The ratio to the paper's figure; above 1 is better. */
  ratio?: string;
  /** Whether it is worse than the paper's figure. */
  short?: boolean;
}

interface PaperTable {
  /** The heading of the rows. */
  head: string;
  columns: { name: string; unit: string }[];
  /** Whether lines name their sources. */
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
  /** The lowest ratio to the paper, if it falls short. */
  worst: string;
  figure: Figure | null;
  /** For a chart of throughput; the first one shows the values as measured. */
  views: { label: string; figure: Figure }[];
  table: PaperTable | null;
  sources: string[];
  remarks: string[];
  note: string;
  likeness: string;
  /** Our result, and the reason for any difference. */
  finding: string;
  /** The address of its run on Watch, empty if it is not about a single run. */
  run: string;
  summary: string;
  command: string;
  /** Whether it was measured here, whether in full, and why it cannot be measured. */
  here: { measured: boolean; full: boolean; reason: string };
}

interface PaperJson {
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
