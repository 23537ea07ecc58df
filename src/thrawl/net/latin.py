"""Which of the Windows code pages of Latin letters a text is in, where nobody says.

They share most bytes, so a general detector takes one for another. Here languages tell: of the letters beyond ASCII
that a code page reads, nearly all belong to the alphabet of one language. What several explain as well is the most
common one, windows-1252, as browsers take it to be. Other scripts are not judged here.
"""

from __future__ import annotations

import re
from typing import Final

_ALPHABETS: Final = {
    "cp1252": (
        "àâæçéèêëîïôœùûüÿ",  # French
        "äöüß",  # German
        "áéíóúñü",  # Spanish
        "ãáâàçéêíóôõúü",  # Portuguese
        "àèéìíîòóùú",  # Italian
        "åäöé",  # Swedish, Finnish
        "æøåéóòô",  # Danish, Norwegian
        "ëïéèöüóáí",  # Dutch
        "áðéíóúýþæö",  # Icelandic
        "àçèéíïòóúü",  # Catalan
    ),
    "cp1250": (
        "ąćęłńóśźż",  # Polish
        "áčďéěíňóřšťúůýž",  # Czech
        "áäčďéíĺľňóôŕšťúýž",  # Slovak
        "áéíóöőúüű",  # Hungarian
        "ăâîşţșț",  # Romanian
        "čćđšž",  # Croatian, Slovenian
        "çë",  # Albanian
    ),
    "cp1254": ("çğıöşüâîû",),  # Turkish
    "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž", "äöõüšž"),  # Latvian, Lithuanian, Estonian
}
_SIGNS: Final = frozenset("“”„‘’‚«»‹›–—…•·§°©®™€£¿¡ªº²³´½¼×\xa0\xad")
_HIGH: Final = re.compile(rb"[\x80-\xff]+")
_ALONE: Final = 0.5  # of the bytes beyond ASCII: in other scripts they stand side by side


def is_latin(sample: bytes) -> bool:
    """Whether a text has letters beyond ASCII, and most of them stand alone among others."""
    runs = [len(run) for run in _HIGH.findall(sample)]
    return sum(run == 1 for run in runs) > _ALONE * sum(runs)


def latin_codec(sample: bytes) -> str:
    """The code page by which most letters belong to one language; the first of several."""
    return max(_ALPHABETS, key=lambda codec: _explained(sample, codec))


def _explained(sample: bytes, codec: str) -> float:
    """The share of letters beyond ASCII that are of one alphabet, with the alphabet that explains most of them."""
    text = sample.decode(codec, errors="replace")
    foreign = [char.lower() for char in text if not char.isascii() and char not in _SIGNS]
    if not foreign:
        return 1.0
    return max(sum(char in alphabet for char in foreign) for alphabet in _ALPHABETS[codec]) / len(foreign)
