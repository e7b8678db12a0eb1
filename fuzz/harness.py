"""The coverage-guided fuzzer: ``python -m fuzz.harness SECONDS FOLDER [DEFECT]``; started by ``python -m fuzz``.

Atheris (libFuzzer) tracks the lines of the reader that a file reaches, and mutates files that reached new lines. Its
own mutations of bytes alternate with those of `fuzz.mutants`, which follow the structure of TSPLIB files. DEFECT names
a reader of `fuzz.planted` to fuzz instead.
"""

import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["data"]):
    from data.tsplib.instances import read_checked
    from fuzz import planted
    from fuzz.judge import judge
    from fuzz.mutants import add_damage, make_seeds

_MAX_BYTES = 16_384


def _mutate(raw: bytes, most: int, seed: int) -> bytes:
    rng = random.Random(seed)
    new = add_damage(raw, rng) if rng.random() < 0.5 else atheris.Mutate(raw, most)
    return new[:most]


def main() -> None:
    """Fuzz until time is up or a defect is found; ends the process."""
    seconds, folder = int(sys.argv[1]), Path(sys.argv[2])
    reader = getattr(planted, sys.argv[3]) if len(sys.argv) > 3 else read_checked
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for k, seed in enumerate(make_seeds()):
        (corpus / f"seed-{k:02}.tsp").write_bytes(seed)
    limits = [f"-max_total_time={seconds}", f"-max_len={_MAX_BYTES}", "-timeout=10", "-rss_limit_mb=1024"]
    options = [*limits, f"-artifact_prefix={folder}/", "-print_final_stats=1", str(corpus)]
    atheris.Setup([sys.argv[0], *options], lambda raw: judge(raw, reader), custom_mutator=_mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
