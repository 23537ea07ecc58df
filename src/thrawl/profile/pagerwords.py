"""How people write "next page": the anchors of page-flipping links in many languages, and page numbers."""

from __future__ import annotations

import re
from typing import Final

_NEXT_WORDS: Final = frozenset(
    word
    for words in (
        "next|next page|older|older posts|older entries|older topics|more|load more|forward",
        "weiter|nächste|nächste seite|vor|ältere|ältere beiträge",
        "suivant|suivante|page suivante|suiv|plus ancien|articles plus anciens",
        "siguiente|página siguiente|próximo|próxima|proximo|proxima|seguinte|següent",
        "avanti|successivo|successiva|pagina successiva|prossima|volgende|volgende pagina",
        "następna|następny|dalej|další|následující|ďalej|ďalšia|sljedeća|sledeća|naslednja",
        "следующая|следующий|след|далее|вперед|вперёд|следваща|напред|наступна|далі",
        "nästa|næste|neste|seuraava|következő|urmatoarea|următoarea|următor|sonraki|ileri",
        "επόμενη|επόμενο|selanjutnya|berikutnya|trang sau|tiếp|sau",
        "下一页|下一頁|下页|下頁|下一个|次へ|次のページ|次|다음|다음 페이지",
        "הבא|التالي|التالية|بعدی|ถัดไป|आगे|أقدم",
    )
    for word in words.split("|")
)
_AGE_WORDS: Final = frozenset(
    word
    for words in (
        "newer|newer posts|newer messages|newer replies|later|older|older posts|older entries|older topics",
        "neuere|neuere beiträge|ältere|ältere beiträge|plus récent|plus récents|plus ancien|articles plus anciens",
        "más recientes|más antiguos|mais recentes|mais antigos|più recenti|meno recenti|nieuwer|nieuwere|ouder|oudere",
        "nowsze|starsze|novější|starší|новее|более новые|старее|nyare|äldre|nyere|ældre|eldre|újabb|régebbi",
    )
    for word in words.split("|")
)
_NEXT_TOKENS: Final = frozenset(
    "next older more right forward weiter mehr nächste suivant plus siguiente más próxima mais avanti altri meer więcej"
    " ещё еще fler flere もっと見る さらに表示 更多 加载更多 더보기".split()
)
_PREVIOUS_TOKENS: Final = frozenset("prev previous left back backward zurück vorherige précédent anterior".split())
_PAGE_TOKENS: Final = frozenset("page pages pagination seite seiten página pagina strona strana sida side".split())
_PREVIOUS_WORDS: Final = frozenset(
    word
    for words in (
        "prev|previous|previous page|back|first|zurück|vorherige|vorherige seite|erste",
        "précédent|précédente|page précédente|première|anterior|página anterior|primera|precedente|vorige|poprzednia",
        "předchozí|предыдущая|назад|пред|föregående|forrige|edellinen|előző|önceki|上一页|上一頁|前へ|前のページ|이전",
    )
    for word in words.split("|")
)
_NEXT_MARKS: Final = frozenset({">", ">>", "›", "»", "→", "⇒", "▶", "►", "❯", "⟩", "->"})
_PREVIOUS_MARKS: Final = frozenset({"<", "<<", "‹", "«", "←", "⇐", "◀", "◄", "❮", "⟨", "<-"})
_AROUND: Final = " \t\n\r\xa0[](){}|.,:;·•–-_*…↓↑⇓⇑"  # arrows down and up say of lists only where they go on
_AROUND_NUMBERS: Final = _AROUND + "".join(_NEXT_MARKS | _PREVIOUS_MARKS)
_ANSWERED: Final = re.compile(r"\s*>+\d")
_PAGE_NUMBER: Final = re.compile(r"(\d{1,6})\Z")
_TOKEN: Final = re.compile(r"[^\W\d_]+")
_LONGEST_HINT: Final = 60  # characters; what is longer is a title or a sentence
_FEW_TOKENS: Final = 2  # words of an icon's name or a button; more are a title
_WORDED_NUMBER: Final = re.compile(
    r"(?:page|p|pg|seite|página|pagina|page no|strona|strana|stránka|страница|стр|сторінка|sida|side|sivu|oldal|sayfa"
    r"|σελίδα|halaman|trang|第|ページ|페이지)\.?\s{0,2}(\d{1,6})\s?[页頁]?\Z",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(r"(\d{1,6})\s*[-–—]\s*(\d{1,6})")


def page_number(anchor: str) -> int | None:
    """The page that an anchor names: `3`, `[3]`, `Page 3 >>`, `1,204`; None for anything else, as `>>3` is: an answer
    to post 3."""
    if _ANSWERED.match(anchor):
        return None
    text = anchor.strip(_AROUND_NUMBERS).replace(",", "").replace("\u202f", "")
    found = _PAGE_NUMBER.match(text) or _WORDED_NUMBER.match(text)
    return int(found[1]) if found else None


def range_start(anchor: str) -> int | None:
    """The first record of the page that an anchor names by its records: `11-20`, `[ 11 – 20 ]`."""
    found = _RANGE.fullmatch(anchor.strip(_AROUND))
    return int(found[1]) if found and int(found[1]) <= int(found[2]) else None


def says_next(anchor: str, rel: str = "") -> bool:
    """Whether a link leads to the next page of a list, by its words, its arrow or its rel attribute."""
    if "next" in rel.lower().split():
        return True
    text = " ".join(anchor.casefold().split())
    bare = text.strip(_AROUND)
    if bare in _NEXT_MARKS:
        return True
    words = bare.strip("".join(_NEXT_MARKS) + _AROUND)
    return words in _NEXT_WORDS and not any(text.startswith(mark) for mark in _PREVIOUS_MARKS)


def says_older_or_newer(anchor: str) -> bool:
    """Whether a link leads to what was written before or after; which of them is on and which back, lists differ in."""
    around = "".join(_NEXT_MARKS | _PREVIOUS_MARKS) + _AROUND
    return " ".join(anchor.casefold().split()).strip(around) in _AGE_WORDS


def says_previous(anchor: str, rel: str = "") -> bool:
    """Whether a link leads back to the page before, or to the first one."""
    if "prev" in rel.lower().split():
        return True
    text = " ".join(anchor.casefold().split()).strip(_AROUND)
    bare = text.strip("".join(_NEXT_MARKS | _PREVIOUS_MARKS) + _AROUND)
    return text in _PREVIOUS_MARKS or bare in _PREVIOUS_WORDS


def next_hint(*texts: str) -> float:
    """How much words that are not just "next" speak of one: icon names, classes, tooltips ("Go to next page").

    1 where they name a page; 0.5 where they do not and are few ("View more"): the next what?
    """
    tokens = [_tokens(text) for text in texts if len(text) <= _LONGEST_HINT]
    if any(not words.isdisjoint(_PREVIOUS_TOKENS) for words in tokens):
        return 0.0
    spoken = [words for words in tokens if not words.isdisjoint(_NEXT_TOKENS)]
    if any(not words.isdisjoint(_PAGE_TOKENS) for words in spoken):
        return 1.0
    return 0.5 if any(len(words) <= _FEW_TOKENS for words in spoken) else 0.0


def previous_hint(*texts: str) -> bool:
    """Whether such words speak of the way back."""
    tokens = frozenset(token for text in texts if len(text) <= _LONGEST_HINT for token in _tokens(text))
    return not tokens.isdisjoint(_PREVIOUS_TOKENS) and tokens.isdisjoint(_NEXT_TOKENS)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(text.casefold()))
