/* What the dialog of drawn cities works on. */

/** A city at whole coordinates; its id stays while it is moved. */
interface DrawnCity {
  id: number;
  x: number;
  y: number;
  name: string;
}

/** What is drawn: never changed, always replaced. */
interface Drawing {
  /** The edge weight type: on the globe, x and y are longitude and latitude in parts of a degree (`PER_DEGREE`). */
  kind: "EUC_2D" | "GEO" | "HAVERSINE_KM" | "HAVERSINE_M";
  cities: readonly DrawnCity[];
}

/** How the server knows a drawing (`data/collection/drawing.py`). */
interface DrawnReference {
  drawn: number;
  cities: string;
  kind?: Drawing["kind"];
  names?: string[];
}
