"""Bytes to text, as browsers would read them."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.net.charset import charset_of, codec_of

RUSSIAN = "<p>Всем привет, кто-нибудь пробовал новый объектив на старой камере?</p>" * 5


def meta(label: str) -> bytes:
    return f'<html><head><meta charset="{label}"></head>'.encode()


@pytest.mark.parametrize(
    ("body", "header", "codec"),
    [
        (b"\xef\xbb\xbfabc", "text/html; charset=iso-8859-1", "utf-8-sig"),
        (b"\xff\xfea\x00", None, "utf-16"),
        (b"abc", "text/html; charset=windows-1251", "cp1251"),
        (b"abc", 'text/html; Charset = "ISO-8859-1"', "cp1252"),
        (meta("koi8-r"), None, "koi8-r"),
        (meta("koi8-r"), "text/html; charset=gbk", "gb18030"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', None, "cp932"),
        (b'<?xml version="1.0" encoding="EUC-KR"?><html>', None, "cp949"),
        (b'<!-- <meta charset="koi8-r"> --><meta charset="big5">', None, "big5hkscs"),
        (meta("utf-16"), None, "utf-8"),
        (meta("no-such-thing"), "text/html; charset=neither", "utf-8"),
        (b"plain", None, "utf-8"),
        ("Grüße".encode(), None, "utf-8"),
        (RUSSIAN.encode("cp1251"), None, "cp1251"),
        (b"", None, "utf-8"),
    ],
)
def test_the_best_witness_decides(body, header, codec):
    assert charset_of(body, header) == codec


JAPANESE = "<td>こんにちは、新しいレンズについて質問があります。</td>" * 20
KOREAN = "<td>안녕하세요, 새 렌즈에 대해 질문이 있습니다.</td>" * 20
CHINESE = "<td>大家好，我想問一個關於新鏡頭的問題，謝謝。</td>" * 20


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "cp949"),
        (CHINESE, "big5hkscs"),
        (CHINESE, "gb18030"),
        (RUSSIAN, "koi8-r"),
    ],
)
def test_a_language_is_detected_by_its_letters_alone(text, codec):
    assert charset_of(text.encode(codec)) == codec


def test_a_false_claim_of_another_charset_is_noticed():
    assert charset_of(meta("iso-8859-1") + RUSSIAN.encode(), "text/html; charset=iso-8859-1") == "utf-8"


def test_two_letters_tell_that_a_claim_of_one_byte_a_letter_is_false_and_one_pair_of_signs_does_not():
    assert charset_of("Ni idea de qué falló".encode(), "text/html; charset=iso-8859-1") == "utf-8"
    assert charset_of("CAFÉ» ouvert".encode("cp1252"), "text/html; charset=iso-8859-1") == "cp1252"
    assert charset_of("镜头".encode("gbk"), "text/html; charset=gbk") == "gb18030"


def test_a_false_claim_of_utf8_is_noticed():
    assert charset_of(meta("windows-1251") + RUSSIAN.encode("cp1251"), "text/html; charset=utf-8") == "cp1251"


def test_utf8_cut_in_the_middle_of_a_character_stays_utf8():
    assert charset_of(RUSSIAN.encode()[:-6] + b"\xd0", "text/html; charset=utf-8") == "utf-8"


@pytest.mark.parametrize(
    "label", ["base64", "rot13", "zlib", "utf-7", "idna", "unicode_escape", "punycode", "\x00", ""]
)
def test_codecs_that_are_no_character_sets_are_not_believed(label):
    assert codec_of(label) is None


@given(st.binary(max_size=3000), st.none() | st.text(max_size=30).map("text/html; charset=".__add__))
def test_any_bytes_give_a_codec_that_reads_them(body, header):
    name = charset_of(body, header)
    assert codecs.lookup(name)
    assert isinstance(body.decode(name, errors="replace"), str)
