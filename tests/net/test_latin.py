"""Pages in a code page that nobody names: their letters tell."""

from __future__ import annotations

import pytest

from thrawl.net.charset import charset_of

_TEXTS = {
    ("cp1252", "French"): "Le mien a coûté 50 euros. D'abord démonter le baromètre, puis tout laver à l'eau tiède.",
    ("cp1252", "Spanish"): "¿Alguien lo ha probado ya? El mío sigue andando después de diez años. ¡Gracias!",
    ("cp1252", "German"): "Mein Nachbar schwört auf das günstige Öfchen, es läuft für große Stücke.",
    ("cp1252", "Swedish"): "Jag hittade en gammal klocka på loppisen. Vad är det för fel på båten?",
    ("cp1250", "Polish"): "Mój sąsiad przysięga na stary żuraw. Proszę dołączyć zdjęcie łodzi.",
    ("cp1250", "Czech"): "Můj soused přísahá na starý motor. Kdo už to zkoušel? Žlutý kůň.",
    ("cp1250", "Hungarian"): "Köszönöm, ez sokat segített. Őszi szőlő, hűtő.",
    ("cp1254", "Turkish"): "Komşum eski motora yemin ediyor. Teşekkürler, çok yardımcı oldu. Işık.",
    ("cp1251", "Russian"): "Мой сосед клянётся старым мотором. Спасибо, это очень помогло.",
}


@pytest.mark.parametrize(("codec", "language"), _TEXTS)
def test_a_page_that_names_no_charset_is_read_by_its_letters(codec: str, language: str) -> None:
    page = f"<html><body><p>{_TEXTS[codec, language]}</p></body></html>".encode(codec)
    assert charset_of(page) == codec


def test_what_several_code_pages_read_as_well_is_the_most_common_one() -> None:
    assert charset_of("<p>Die schönen Bücher</p>".encode("cp1250")) == "cp1252"
