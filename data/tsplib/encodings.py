"""Guesses the encoding of texts other than UTF-8 by the package charset-normalizer."""

import re
import unicodedata

#: Candidate encodings with their common names. Ties go to the most common one, Windows-1252.
ENCODINGS = {
    "cp1252": "Windows-1252 (Latin-1)",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp932": "Shift-JIS",
    "gb2312": "GB 18030",
    "big5": "Big5",
    "euc_kr": "EUC-KR",
    "mac_roman": "Mac Roman",
    "koi8_r": "KOI8-R",
}
#: Supersets with rare characters, used instead of these encodings; telling them apart would need too much Chinese or
#: Korean text.
_WIDER = {"gb2312": "gb18030", "euc_kr": "cp949"}
# Letters of Windows-1252 and Mac Roman.
_WESTERN = ("äöüß", "àâæçèéêëîïôœùûüÿ", "áéíñóúü", "àçèéíïòóúü", "àáâãçéêíóôõúü", "àèéìíòóùú", "äåæéöøü", "áæéíðóöúýþ")
#: Languages' non-ASCII letters, by the encodings that contain them.
_ALPHABETS = {
    "cp1252": _WESTERN,
    "mac_roman": _WESTERN,
    "cp1250": ("áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("âçîöûüğışü",),
}
#: Maximum number of bytes that are examined, in lines that are not pure ASCII.
_SAMPLE = 16_384
_FOREIGN_LINE = re.compile(rb"[^\n\r]*[\x80-\xff][^\n\r]*")
#: Minimum share of zeros among the bytes of UTF-16: half of its characters are ASCII.
_ZERO_SHARE = 0.25
# Unicode categories of characters that are not letters.
_SIGNS = ("Lm", "Sk", "Sc", "So", "Sm", "No", "Po")


def decode_legacy(raw: bytes) -> tuple[str, str] | None:
    """Decode bytes that are not UTF-8; return the text and the encoding's name, or None if none fits.

    A wrong guess only affects names: the numbers of a file are right in any case, since all of these encodings include
    ASCII.
    """
    # Imported here: it takes 90 ms, and few files need it.
    from charset_normalizer import from_bytes

    sample = bytearray()
    for line in _FOREIGN_LINE.finditer(raw):
        sample += line[0][:_SAMPLE] + b"\n"
        if len(sample) >= _SAMPLE:
            break
    likely = from_bytes(bytes(sample), cp_isolation=list(ENCODINGS))
    ranks = {
        name: (
            match.chaos + _measure_oddities(str(match)) + _mixes_alphabets(str(match), name),
            name != "cp1252",
            place,
        )
        for place, match in enumerate(likely)
        for name in match.could_be_from_charset
    }
    for name in sorted(ranks, key=lambda name: ranks[name]):
        try:
            return raw.decode(_WIDER.get(name, name)), ENCODINGS[name]
        except UnicodeDecodeError:
            continue
    return None


def decode_utf16(raw: bytes) -> str | None:
    """Decode UTF-16 bytes without a byte order mark; return None for other bytes.

    In such text one byte of each ASCII character is zero, and no pair has two zero bytes.
    """
    if len(raw) % 2:
        return None
    zeros = [raw[first::2].count(0) for first in (0, 1)]
    if min(zeros) or max(zeros) < _ZERO_SHARE * len(raw):
        return None
    try:
        return raw.decode("utf-16-be" if zeros[0] else "utf-16-le")
    except UnicodeDecodeError:
        return None


def _measure_oddities(text: str) -> float:
    """Return the share of non-ASCII characters in impossible positions, a sign of a wrong guess."""
    odd = foreign = 0
    for before, letter, after in zip(" " + text, text, text[1:] + " ", strict=False):
        if letter.isascii():
            continue
        foreign += 1
        kind = unicodedata.category(letter)
        beside = [character for character in (before, after) if character.isalpha()]
        capital_inside = kind == "Lu" and before.islower()
        sign_inside = kind in _SIGNS and beside
        mixed_scripts = kind == "Lo" and any(map(str.isascii, beside))
        odd += bool(capital_inside or sign_inside or mixed_scripts)
    return odd / max(foreign, 1)


def _mixes_alphabets(text: str, encoding: str) -> bool:
    """Return whether a text mixes letters of different languages, a sign of a wrong guess."""
    letters = {letter for letter in text.lower() if letter.isalpha() and not letter.isascii()}
    alphabets = _ALPHABETS.get(encoding)
    return alphabets is not None and not any(map(letters.issubset, alphabets))
