/* Types of the dialog of drawn cities. */

/** A city at whole coordinates; it keeps its id when moved. */
interface DrawnCity {
  id: number;
  x: number;
  y: number;
  name: string;
}

/** A drawing, which is never changed but always replaced. */
interface Drawing {
  /** The edge weight type; on the globe, x and y are longitude and latitude in parts of a degree (`PER_DEGREE`). */
  kind: "EUC_2D" | "GEO" | "HAVERSINE_KM" | "HAVERSINE_M";
  cities: readonly DrawnCity[];
}

/** Reference to a drawing, for the server (`data/collection/drawing.py`). */
interface DrawnReference {
  drawn: number;
  cities: string;
  kind?: Drawing["kind"];
  names?: string[];
}
