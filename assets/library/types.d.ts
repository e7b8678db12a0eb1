// Types of the library's page: the responses of its routes (`docs/server.md`), and the data that its scripts exchange.

type LibraryFacet = "kind" | "algorithm" | "instance" | "tag" | "state";

/** A run, race or study (`components/library/rows.py`). */
interface LibraryEntry {
  key: string;
  kind: LibraryKind;
  id: string;
  name: string;
  /** Its name, or its default title if it has no name. */
  title: string;
  /** Empty if it cannot be opened. */
  href: string;
  tags: string[];
  created: number;
  when: string;
  state: string;
  state_text: string;
  /** Whether its state can still change by itself. */
  working: boolean;
  instances: string[];
  n: number;
  algorithms: { name: string; title: string; colour: string }[];
  length: number | null;
  gap: number | null;
  setting: string;
  optimal: boolean;
  seconds: number | null;
  runs: number;
  total: number;
  bytes: number;
  /** The race of which it is a lane. */
  race: { title: string; href: string } | null;
  deletable: string;
  /** Whether this visitor may change it. */
  own: boolean;
}
interface LibraryFacetValue {
  value: string;
  label: string;
  count: number;
  colour?: string;
}
/** The result of a search. */
interface LibraryPage {
  entries: LibraryEntry[];
  total: number;
  pending: number;
  facets: Record<LibraryFacet, LibraryFacetValue[]>;
  trash: { token: string; names: string; when: string }[];
}
/** The search in the address. */
interface LibraryQuery extends Record<LibraryFacet, string[]> {
  q: string;
  lanes: boolean;
  limit: number;
  from: number;
  sort: string;
  up: boolean;
  /** Ids of runs. */
  compare: string[];
}
interface LibraryAction {
  do: "rename" | "tag" | "delete" | "undo" | "empty" | "all" | "save";
  keys?: string[];
  name?: string;
  add?: string[];
  remove?: string[];
  token?: string;
  query?: string;
}
/** The result of an action. */
interface LibraryDone {
  says: string;
  undo?: string;
  keys: string[];
  gone: string[];
  refused: boolean;
  csv?: string;
}
interface PageEvents {
  library: LibraryPage;
  "library-picked": string[];
  "library-done": LibraryDone & { do: LibraryAction["do"] };
  "library-said": { says: string; href: string };
}
