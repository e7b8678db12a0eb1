"""Reads QR codes out of SVG, after ISO/IEC 18004: versions 2 to 6, undamaged, one segment of bytes."""

import re

#: Of a version and a level of error correction, the data codewords of each block.
BLOCKS = {
    "2L": [34], "2M": [28], "2Q": [22], "3L": [55], "3M": [44], "3Q": [17, 17], "4L": [80], "4M": [32, 32],
    "4Q": [24, 24], "5L": [108], "5M": [43, 43], "6L": [68, 68], "6M": [27, 27, 27, 27],
}  # fmt: skip
LEVELS = "MLHQ"  # as the two bits of the format count them
MASKS = (
    lambda i, j: (i + j) % 2,
    lambda i, j: i % 2,
    lambda i, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
)


def modules(svg: str) -> list[list[int]]:
    """The modules of a picture, including its quiet zone; 1 is dark. Dark modules are drawn as horizontal lines."""
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    drawn = [[0] * size for _ in range(size)]
    x, y = 0.0, 0.0
    for command, values in re.findall(r"([Mmh])([^Mmh\"]*)", re.search(r'stroke="[^"]*" d="([^"]+)"', svg)[1]):
        inputs = [float(value) for value in re.findall(r"-?[\d.]+", values)]
        if command == "h":
            for column in range(int(x), int(x + inputs[0])):
                drawn[int(y)][column] = 1  # a stroke of width 1 about the middle of its row
            x += inputs[0]
        else:
            x, y = (x + inputs[0], y + inputs[1]) if command == "m" else inputs
    return drawn


def without_quiet_zone(drawn: list[list[int]], quiet: int) -> list[list[int]]:
    """The code without its quiet zone, which must be light."""
    size = len(drawn)
    inner = range(quiet, size - quiet)
    assert not any(drawn[i][j] for i in range(size) for j in range(size) if i not in inner or j not in inner)
    return [[drawn[i][j] for j in inner] for i in inner]


def decode_code(code: list[list[int]]) -> str:
    """Decode a QR code."""
    size = len(code)
    version = (size - 17) // 4
    assert 2 <= version <= 6
    assert size == 17 + 4 * version
    level, mask = _format(code)
    found = _codewords(code, MASKS[mask])
    data = _in_order(found, BLOCKS[f"{version}{level}"])
    bits = "".join(f"{byte:08b}" for byte in data)
    assert bits[:4] == "0100", "no segment of bytes"
    count = int(bits[4:12], 2)
    return bytes(int(bits[12 + 8 * k : 20 + 8 * k], 2) for k in range(count)).decode("latin-1")


def _format(code: list[list[int]]) -> tuple[str, int]:
    places = [(8, j) for j in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    value = int("".join(str(code[i][j]) for i, j in places), 2) ^ 0b101010000010010
    return LEVELS[value >> 13], value >> 10 & 7


def _is_data(i: int, j: int, size: int) -> bool:
    corner = (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9)
    alignment = abs(i - (size - 7)) <= 2 and abs(j - (size - 7)) <= 2
    return not (corner or alignment or i == 6 or j == 6)


def _codewords(code: list[list[int]], mask) -> list[int]:
    size, bits = len(code), []
    rows = list(range(size))
    columns = [j for j in range(size - 1, 0, -2) if j > 6] + [5, 3, 1]
    for turn, right in enumerate(columns):
        for i in rows if turn % 2 else reversed(rows):
            for j in (right, right - 1):
                if _is_data(i, j, size):
                    bits.append(code[i][j] ^ (mask(i, j) == 0))
    return [int("".join(map(str, map(int, bits[k : k + 8]))), 2) for k in range(0, len(bits) - 7, 8)]


def _in_order(found: list[int], blocks: list[int]) -> list[int]:
    """The data of all blocks, whose codewords are interleaved; all blocks of these versions have the same size."""
    assert len({*blocks}) == 1
    return [found[k * len(blocks) + block] for block in range(len(blocks)) for k in range(blocks[0])]
