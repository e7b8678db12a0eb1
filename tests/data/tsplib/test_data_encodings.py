"""Files that are not UTF-8: their contents are read correctly, with a note on the encoding."""

import sys
import time

import pytest

from data import recognition
from data.limits import MAX_BYTES
from data.tsplib.encodings import ENCODINGS
from data.tsplib.text import decode
from tests.clock import is_within_bound
from tests.tables import each_row

#: Names as people in these languages have them.
NAMES = {
    "cp1252": ["Château-d’Œx", "Mühlhausen – Süd", "Ærøskøbing", "São José", "Logroño"],
    "cp1250": ["Ústí nad Labem", "Łódź", "Győr", "Žďár", "Ptuj – Črešnjevec"],
    "cp1251": ["Нижний Новгород", "Пермь", "София"],
    "cp1254": ["Beşiktaş", "Eskişehir", "Niğde", "Çankırı"],
    "cp932": ["横浜", "名古屋", "札幌"],
    "mac_roman": ["Besançon", "Tübingen", "Orléans – Gare"],
    "gb2312": ["广州", "深圳", "成都"],
}


@each_row("encoding", NAMES)
def test_names_are_read_in_the_encoding_that_fits(encoding):
    names = NAMES[encoding]
    rows = "".join(f"{name};{9 * k};{k * k}\n" for k, name in enumerate(names))
    instance = recognition.read(f"name;x;y\n{rows}".encode(encoding), "towns.csv")
    assert instance.names == tuple(names)
    assert instance.coordinates.tolist() == [[9 * k, k * k] for k in range(len(names))]
    assert instance.warnings == (f"The file is not UTF-8; it was read as {ENCODINGS[encoding]}.",)


@each_row("names", [["Děčín", "Jičín", "Kutná Hora", "Plzeň"], ["Čakovec", "Poreč", "Požega"], ["Brăila", "Iaşi"]])
def test_language_of_the_letters_decides(names):
    assert decode("\n".join(names).encode("cp1250"))[0].split("\n") == names


@each_row("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_needs_no_mark(encoding):
    raw = "name;x;y\nŽilina;0;0\n東京;3;4\n".encode(encoding)
    instance = recognition.read(raw, "towns.csv")
    assert instance.names == ("Žilina", "東京")
    assert instance.warnings == ("The file is not UTF-8; it was read as UTF-16.",)
    assert recognition.detect_kind(raw, "towns") == "table"


def test_windows_comment_does_not_hide_numbers():
    raw = "COMMENT: 3 sites – Genève\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    instance = recognition.read(f"{raw}1 0 0\n2 3 0\n3 3 4\nEOF\n".encode("cp1252"), "sites.tsp")
    assert (instance.comment, instance.n, instance.name) == ("3 sites – Genève", 3, "sites")


def test_largest_file_is_decoded_as_fast_as_others():
    row = b"F\xfcrth 12,1.25,2.5\n"
    raw = (row * (MAX_BYTES // len(row)))[:-1] + b"\xff"
    start = time.process_time()
    text, warnings = decode(raw)
    assert is_within_bound(time.process_time() - start, 4.0)  # 0.4 s
    assert len(text) <= MAX_BYTES
    assert len(warnings) == 1


def test_package_is_loaded_only_for_those_files(monkeypatch):
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    assert recognition.read("n,x,y\nÄ,1,2\n".encode(), "a.csv").names == ("Ä",)
    with pytest.raises(ImportError):
        recognition.read("n,x,y\nÄ,1,2\n".encode("cp1252"), "a.csv")
