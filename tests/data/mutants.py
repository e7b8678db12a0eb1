"""Damaged files of tables and maps, which are either read or refused in one sentence."""

from hypothesis import strategies as st

from data import recognition
from data.errors import InvalidInstance
from data.tsplib.instances import write


def damage(data, seeds: list[bytes], longest: int, pieces: list[bytes]) -> bytes:
    """A file with up to four pieces of at most `longest` bytes replaced, by random bytes or by one of `pieces`."""
    raw, put = bytearray(data.draw(st.sampled_from(seeds))), st.binary(max_size=3)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw) - 1))
        end = place + data.draw(st.integers(0, longest))
        raw[place:end] = data.draw(put | st.sampled_from(pieces) if pieces else put)
        raw = raw or bytearray(b"x")
    return bytes(raw)


def assert_read_or_refused(raw: bytes, name: str) -> None:
    """Assert that accepted files stay the same after writing, and that refusals are one short sentence."""
    refusal = ""
    try:
        instance = recognition.read(raw, name)
    except InvalidInstance as fault:
        refusal = fault.sentence
    else:
        assert recognition.read(write(instance).encode(), "again.tsp").sha256 == instance.sha256
        return
    assert 0 < len(refusal) <= 200
    assert refusal.isprintable()
