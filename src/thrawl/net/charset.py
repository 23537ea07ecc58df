"""How the bytes of a page become text: byte order mark, header, meta element, then detection.

Labels mean what browsers take them to mean (WHATWG Encoding): iso-8859-1 is windows-1252, gb2312 is gb18030. Unknown
labels and codecs that are no character sets fall through to the next witness; nothing here raises. Unlike a browser,
a claim of UTF-8 is checked, and so is another claim for bytes that are plainly UTF-8: forums that moved servers keep
old bytes under new headers, or new ones under old.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

from thrawl.net.latin import is_latin, latin_codec

_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xfe\xff", "utf-16"), (b"\xff\xfe", "utf-16"))
# Scripts that the general detector takes for one another: tried first, by letters that no other language writes.
_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_SCRIPTS: Final = (("cp932", _KANA, 0.2), ("euc_jp", _KANA, 0.2), ("cp949", _HANGUL, 0.6))
_META_BYTES: Final = 4096
_SAMPLE_BYTES: Final = 16 * 1024
# A page cut in the middle of a character is still UTF-8; one where every tenth non-ASCII byte is wrong is not.
_MAX_BROKEN_SHARE: Final = 0.1

# Bytes beyond ASCII: so many that form UTF-8 without a fault are no accident. Two letters can be, in Chinese; where a
# byte is a letter, two such pairs are none: a capital before a sign, and nothing else on the page that is not ASCII.
_PLAINLY: Final = 12
_PLAINLY_LETTERS: Final = 4
_OF_SEVERAL_BYTES: Final = frozenset({"gb18030", "big5hkscs", "cp932", "euc_jp", "iso2022_jp", "cp949"})

_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_META = re.compile(rb"<meta\s[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"\A\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_NON_ASCII = re.compile(rb"[\x80-\xff]")

# Python's name of a codec to the superset that browsers use for it; what is not here is not believed.
_BROWSERS_CODEC: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "big5hkscs": "big5hkscs",
    "shift_jis": "cp932",
    "cp932": "cp932",
    "euc_kr": "cp949",
    "cp949": "cp949",
    "utf-8-sig": "utf-8",
} | {
    name: name
    for name in (
        "utf-8 euc_jp iso2022_jp koi8-r koi8-u mac-roman mac-cyrillic utf-16 utf-16-le utf-16-be "
        "cp866 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 "
        "iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 "
        "iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16"
    ).split()
}
# Labels of the WHATWG table that Python does not know.
_LABELS: Final = {
    "x-sjis": "cp932",
    "ms_kanji": "cp932",
    "windows-31j": "cp932",
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "x-x-big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "x-euc-jp": "euc_jp",
    "ks_c_5601-1987": "cp949",
    "windows-949": "cp949",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "koi8-ru": "koi8-u",
    "koi": "koi8-r",
    "koi8": "koi8-r",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-ukrainian": "mac-cyrillic",
    "iso-8859-8-i": "iso8859-8",
    "unicode-1-1-utf-8": "utf-8",
    "x-unicode20utf8": "utf-8",
} | {f"x-cp{page}": f"cp{page}" for page in range(1250, 1259)}


def charset_of(body: bytes, content_type: str | None = None) -> str:
    """The name of a Python codec that reads the body best."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    for label in (_header_label(content_type), _meta_label(body)):
        codec = codec_of(label) if label else None
        if codec and (codec != "utf-8" or _is_utf8(body)):
            return "utf-8" if codec != "utf-8" and _is_plainly_utf8(body, codec) else codec
    return "utf-8" if _is_utf8(body) else _detected(body)


@lru_cache(maxsize=256)
def codec_of(label: str) -> str | None:
    """The codec that browsers use for a label; None when it names no character set of the web."""
    key = label.strip().lower()
    if key in _LABELS:
        return _LABELS[key]
    try:
        return _BROWSERS_CODEC.get(codecs.lookup(key).name)
    except (LookupError, ValueError):
        return None


@lru_cache(maxsize=256)
def _header_label(content_type: str | None) -> str | None:
    found = _HEADER.search(content_type or "")
    return found[1] if found else None


def _meta_label(body: bytes) -> str | None:
    head = _COMMENT.sub(b"", body[:_META_BYTES])
    found = _META.search(head) or _XML.search(head)
    if found is None:
        return None
    label = found[1].decode("ascii", errors="replace")
    # A page whose ASCII could be read cannot be UTF-16, whatever it says.
    return "utf-8" if label.lower().startswith(("utf-16", "utf16")) else label


def _is_utf8(body: bytes) -> bool:
    if body.isascii():
        return True
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        broken = body.decode("utf-8", errors="replace").count("\ufffd")
        return broken <= _MAX_BROKEN_SHARE * len(_NON_ASCII.findall(body))
    return True


def _is_plainly_utf8(body: bytes, claimed: str) -> bool:
    """Whether a body that claims to be something else is UTF-8 without a fault: no other text is that by chance."""
    fewest = _PLAINLY if claimed in _OF_SEVERAL_BYTES else _PLAINLY_LETTERS
    if body.isascii() or len(_NON_ASCII.findall(body, 0, _SAMPLE_BYTES)) < fewest:
        return False
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _detected(body: bytes) -> str:
    """What the bytes look like, judged by a part that has the letters in question."""
    first = _NON_ASCII.search(body)
    begin = max(0, first.start() - _SAMPLE_BYTES // 8) if first else 0
    sample = body[begin : begin + _SAMPLE_BYTES]
    for codec, script, share in _SCRIPTS:
        if _reads_as(sample, codec, script, share):
            return codec
    if is_latin(sample):
        return latin_codec(sample)
    from charset_normalizer import from_bytes  # few sites do not say what they write

    best = from_bytes(sample).best()
    return (codec_of(best.encoding) if best else None) or "cp1252"


def _reads_as(sample: bytes, codec: str, script: re.Pattern[str], share: float) -> bool:
    """Whether a codec reads a sample almost without fault, and what it reads is in the codec's own script."""
    text = sample.decode(codec, errors="replace")
    foreign = sum(not char.isascii() for char in text)
    return text.count("\ufffd") <= foreign // 100 and len(script.findall(text)) > share * foreign
