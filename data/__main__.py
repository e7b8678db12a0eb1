"""The command line ``python -m data``: lists, reads and exports instances, converts pictures, makes backups."""

import argparse
import sys
import textwrap
from pathlib import Path
from typing import Any

from data.city_names import format_city_count
from data.collection.fact_sheet import format_fact_sheet, format_instance_table
from data.collection.fetch import HOME, FetchFailed, fetch, list_fetchable
from data.collection.instance_reference import parse_generated
from data.collection.listing import FOLDER_VARIABLE, user_folder
from data.collection.resolve import attach_optimum, instance_list, resolve
from data.command_line import exit_on_broken_pipe, format_command, name_command
from data.errors import InvalidInstance
from data.files import EVERYBODY, read_bytes, write_whole
from data.generators import SPELLINGS
from data.home.cli import add_home_commands
from data.home.errors import HomeRefused
from data.instance import Instance
from data.limits import MAX_BYTES, MAX_CITIES, MAX_EXPLICIT, MAX_OWN_CITIES, MAX_PICTURE_BYTES
from data.recognition import read
from data.tsplib.exchange import format_exchange
from data.tsplib.instances import write


@exit_on_broken_pipe
def main(arguments: list[str] | None = None) -> int:
    """Run a command.

    Returns
    -------
    int
        0 on success, or 2 after an error, with one sentence on standard error.
    """
    options = _build_parser().parse_args(arguments)
    try:
        options.run(options)
    except InvalidInstance as error:
        print(f"{error.code}: {error}", file=sys.stderr)
        return 2
    except (FetchFailed, HomeRefused) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _build_parser() -> argparse.ArgumentParser:
    about = "List, show, check, export, download and make instances; back up the data folder."
    parser = argparse.ArgumentParser(prog=name_command("data"), description=about)
    commands = parser.add_subparsers(required=True, metavar="{list,show,check,export,fetch,picture,backup,restore}")
    listing = commands.add_parser("list", help="list the available instances, and those that 'fetch' downloads")
    listing.set_defaults(run=_list)
    showing = commands.add_parser("show", help="show all facts about an instance")
    showing.add_argument("name", metavar="NAME", help=f"a name from the list, {', '.join(SPELLINGS)}")
    showing.set_defaults(run=_show)
    checking = commands.add_parser("check", help="check an instance file; says what is wrong, and in which line")
    checking.add_argument("file", metavar="FILE", type=Path)
    checking.set_defaults(run=_check)
    exporting = commands.add_parser("export", help="write an instance in a form that other programs read")
    exporting.add_argument("name", metavar="NAME", help="as for 'show', or a file")
    exporting.add_argument("out", metavar="FILE.tsp", type=Path, help="the file to write")
    exporting.set_defaults(run=_export)
    fetching = commands.add_parser("fetch", help="download a larger instance from the TSPLIB 95 site")
    fetching.add_argument("name", metavar="NAME", help="one of the names at the end of 'list'")
    where = f"where to save it (default: the folder that {FOLDER_VARIABLE} names, else %(default)s)"
    fetching.add_argument("--to", metavar="FOLDER", type=Path, default=user_folder(), help=where)
    source = "address of the folder with NAME.tsp.gz (default: %(default)s)"
    fetching.add_argument("--from", metavar="URL", dest="home", default=HOME, help=source)
    fetching.set_defaults(run=_fetch)
    _add_picture(commands)
    add_home_commands(commands)
    return parser


def _add_picture(commands: Any) -> None:
    drawing = commands.add_parser("picture", help="turn a picture into cities whose tour draws it")
    drawing.add_argument("file", metavar="FILE", type=Path, help="a PNG or a JPEG")
    drawing.add_argument(
        "--cities", metavar="N", type=int, default=5000, help="number, 100 to 20,000 (default %(default)s)"
    )
    drawing.add_argument("--contrast", metavar="C", type=float, default=1.0, help="0.5 to 3 (default %(default)s)")
    drawing.add_argument("--invert", action="store_true", help="put the cities where the picture is light")
    drawing.add_argument("--seed", metavar="S", type=int, default=1, help="the same seed gives the same cities")
    drawing.add_argument("--out", metavar="FILE.tsp", type=Path, required=True, help="the file to write")
    drawing.set_defaults(run=_convert_picture)


def _convert_picture(options: argparse.Namespace) -> None:
    from data.pictures.cities import picture_cities  # SciPy and Pillow are slow to import

    raw = read_bytes(options.file, MAX_PICTURE_BYTES)
    if len(raw) > MAX_PICTURE_BYTES:
        raise InvalidInstance("LIMIT", f"The picture has more than {MAX_PICTURE_BYTES // 1_000_000} MB.")
    wishes = (options.cities, options.contrast, options.invert, options.seed)
    instance = picture_cities(raw, options.out.stem, *wishes)
    _save(options.out, write(instance), instance)


def _save(path: Path, text: str, instance: Instance) -> None:
    try:
        write_whole(path, text.encode(), EVERYBODY)
    except OSError as error:
        raise InvalidInstance("UNWRITABLE", f"{path} cannot be written: {error.strerror}.") from None
    print(f"{path} has {format_city_count(instance.n)}.")


def _export(options: argparse.Namespace) -> None:
    file = Path(options.name)
    named = None if file.is_file() else parse_generated(options.name) or {"name": options.name}
    instance = read(read_bytes(file, MAX_BYTES), file.name) if named is None else resolve(named, None)
    _save(options.out, format_exchange(instance), instance)


def _list(options: argparse.Namespace) -> None:
    cards = instance_list()
    available = {card.name for card in cards}
    print("\n".join(format_instance_table(cards)))
    if any(card.computed_map for card in cards):
        print("[map by MDS]: without coordinates; drawn by classical multidimensional scaling of the distances.")
    from data.places.regions import CONTINENTS, WORLD

    sizes = f"with N from 1 to {MAX_OWN_CITIES:,} (directed: {MAX_EXPLICIT:,}; most algorithms: {MAX_CITIES:,})"
    print(f"\nMade on request: {' or '.join(SPELLINGS)}, {sizes}; uniform:1000:1 for instance.")
    print(f"A REGION is {WORLD}, {', '.join(CONTINENTS)}, or a country's name or code: places:japan:100, places:de:50.")
    names = " ".join(name for name in list_fetchable() if name not in available)
    if names:
        print(f"\nTo be fetched with '{format_command('data')} fetch NAME':")
        print(textwrap.fill(names, 110, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))


def _show(options: argparse.Namespace) -> None:
    reference = parse_generated(options.name) or {"name": options.name}
    print("\n".join(format_fact_sheet(resolve(reference, None))))


def _check(options: argparse.Namespace) -> None:
    instance = attach_optimum(read(read_bytes(options.file, MAX_BYTES), options.file.name))
    print(f"{instance.name} is a valid {instance.kind} instance of {format_city_count(instance.n)}.")
    print("\n".join(format_fact_sheet(instance)))


def _fetch(options: argparse.Namespace) -> None:
    path = fetch(options.name, options.to, options.home)
    print(f"{options.name} is in {path}, and equals TSPLIB's instance.")
    if path.parent.resolve() != user_folder().resolve():
        print(f"To see it in the instance list, set {FOLDER_VARIABLE} to that folder.")


if __name__ == "__main__":
    sys.exit(main())
