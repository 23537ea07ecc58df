"""What a line of text says of a time, in the languages and forms that forums use."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.page.timeparts import Order, moment
from thrawl.page.timetext import scan
from thrawl.page.timewords import known_words, look_up

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)  # a Sunday


def read(text: str, order: Order | None = None) -> str | None:
    found = scan(text)
    assert len(found) <= 1, found
    value = moment(found[0].parts, NOW, order) if found else None
    return value.isoformat(" ", "minutes") if value else None


FULL_DATES = """
en | Sat Feb 24, 2024 12:41 pm
en | posted on 24 February 2024 at 12:41
en | 24-Feb-2024 12:41
en | 24-Feb-24 12:41
en | February 24th, 2024, 12:41 PM
en | 24th of February 2024 12:41
en | Sat Feb 24 12:41:00 UTC 2024
en | 12:41, 24 February 2024
en | 12:41pm On Feb 24, 2024
en | 24 Feb, 2024 @ 12:41pm
iso | 2024-02-24T12:41:00Z
iso | 2024-02-24 12:41:00
iso | 2024/2/24 12:41
de | Samstag, 24. Februar 2024, 12:41 Uhr
de | 24.02.2024, 12:41
fr | samedi 24 février 2024 à 12h41
fr | Sam Fév 24, 2024 12:41 pm
es | sábado, 24 de febrero de 2024, 12:41
pt | 24 de fevereiro de 2024 às 12:41
it | sabato 24 febbraio 2024, 12:41
ca | 24 de febrer de 2024 12:41
nl | za 24 feb 2024, 12:41
pl | 24 lutego 2024, 12:41
cs | 24. února 2024 12:41
sk | 24. februára 2024 12:41
ru | 24 февраля 2024 г., 12:41
uk | 24 лютого 2024 р. 12:41
sv | 24 februari 2024 kl. 12:41
da | 24. februar 2024 kl. 12.41
no | 24. februar 2024 kl 12:41
fi | lauantai 24. helmikuuta 2024 klo 12.41
et | 24. veebruar 2024 12:41
lt | 2024 vasario 24 12:41
hu | 2024. február 24. 12:41
ro | 24 februarie 2024, 12:41
tr | 24 Şubat 2024 Cumartesi, 12:41
el | Σάββατο, 24 Φεβρουαρίου 2024, 12:41 μ.μ.
bg | 24 февруари 2024, 12:41
hr | 24. veljače 2024 12:41
sr | 24. фебруар 2024 12:41
sl | 24. februar 2024 12:41
id | 24 Februari 2024 12:41
vi | 24 tháng 2, 2024 12:41
vi | 24 Tháng 2 2024 12:41
he | 24 בפברואר 2024, 12:41
zh | 2024年2月24日 12:41
zh | 发表于 2024-2-24 12:41
zh | 2024年2月24日 下午12:41
ja | 2024 年 2 月 24 日(土) 12:41
ja | 2024年2月24日 12時41分
ko | 2024년 2월 24일 오후 12:41
ko | 2024. 2. 24. 12:41
fa | 1402/12/05, 12:41
"""


@pytest.mark.parametrize("line", FULL_DATES.strip().splitlines())
def test_full_dates_of_many_languages_are_read(line: str) -> None:
    assert read(line.split(" | ")[1]) == "2024-02-24 12:41+00:00"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-11-27T15:50:23.066Z", "2024-11-27 15:50+00:00"),
        ("2024-11-27T15:50:23+02:00", "2024-11-27 15:50+02:00"),
        ("2024-11-27 15:50:23 +0200", "2024-11-27 15:50+02:00"),
        ("27.11.2024 15:50 (GMT+8)", "2024-11-27 15:50+08:00"),
        ("Nov 27, 2024, 3:50:23\u202fPM UTC", "2024-11-27 15:50+00:00"),
        ("2024-11-27 15:50 EDT-0400", "2024-11-27 15:50-04:00"),
        ("27 Nov 2024 15:50 CET", "2024-11-27 15:50+01:00"),
    ],
)
def test_a_shown_zone_is_kept(text: str, value: str) -> None:
    assert read(text) == value


FORUM_FORMS = """
« Reply #3 on: December 08, 2024, 02:05:06 PM »
(This post was last modified: 08-12-2024, 02:05 PM by Bob.)
Dec 8 '24 at 14:05
Dec. 8, 2024, 2:05 p.m.
2:05PM on 08/12/2024
08/12/24(Sun)14:05:06 No.12345
2024/12/08(日) 14:05:06.12 ID:abc123
dom, 08/12/2024 - 14:05
8 December 2024 at 2.05pm
Paz 08 Ara 2024, 14:05
ne 08. pro 2024 14:05:06
Κυρ Δεκ 08, 2024 2:05 pm
Posté le : 08 Déc 2024 14:05
Ter, 08 de Dezembro de 2024 às 14h05
14:05 - 8 gru 2024
2024-12-08 下午 02:05:06
2024.12.08. 14:05
"""


@pytest.mark.parametrize("text", FORUM_FORMS.strip().splitlines())
def test_the_labels_and_marks_of_forums_do_not_disturb(text: str) -> None:
    assert read(text, "dmy") == "2024-12-08 14:05+00:00"


@pytest.mark.parametrize("shown", ["Dec 30, 11:05 PM", "30 Dec, 11:05 pm", "December 30th, 11:05 PM"])
def test_an_hour_right_behind_a_day_is_no_year(shown: str) -> None:
    assert read(shown) == "2025-12-30 23:05+00:00"


def test_noon_is_an_hour() -> None:
    assert read("Dec. 8, 2024, noon") == "2024-12-08 12:00+00:00"


RELATIVE = """
just now | 2026-11-15 12:00
Yesterday, 14:05 | 2026-11-14 14:05
Today at 9:00 am | 2026-11-15 09:00
Friday at 14:05 | 2026-11-13 14:05
Sunday at 14:05 | 2026-11-08 14:05
an hour ago | 2026-11-15 11:00
half an hour ago | 2026-11-15 11:30
3 hours ago | 2026-11-15 09:00
146 days ago | 2026-06-22 12:00
1200 hours ago | 2026-09-26 12:00
10.5 days ago | 2026-11-05 00:00
vor 146 Tagen | 2026-06-22 12:00
1 day 3 hours ago | 2026-11-14 09:00
5m ago | 2026-11-15 11:55
20 min. ago | 2026-11-15 11:40
Today, 9:00 am UTC | 2026-11-15 09:00
a few minutes ago | 2026-11-15 11:57
vor 3 Stunden | 2026-11-15 09:00
vor einer Stunde | 2026-11-15 11:00
Gestern, 14:05 | 2026-11-14 14:05
il y a 3 heures | 2026-11-15 09:00
hier à 14:05 | 2026-11-14 14:05
Aujourd'hui 9h00 | 2026-11-15 09:00
hace 3 horas | 2026-11-15 09:00
ayer a las 14:05 | 2026-11-14 14:05
há 3 horas | 2026-11-15 09:00
Ontem às 14:05 | 2026-11-14 14:05
3 ore fa | 2026-11-15 09:00
3 uur geleden | 2026-11-15 09:00
gisteren om 14:05 | 2026-11-14 14:05
3 godziny temu | 2026-11-15 09:00
wczoraj, 14:05 | 2026-11-14 14:05
před 3 hodinami | 2026-11-15 09:00
včera v 14:05 | 2026-11-14 14:05
3 часа назад | 2026-11-15 09:00
вчера в 14:05 | 2026-11-14 14:05
3 години тому | 2026-11-15 09:00
för 3 timmar sedan | 2026-11-15 09:00
i går kl. 14:05 | 2026-11-14 14:05
3 timer siden | 2026-11-15 09:00
3 tuntia sitten | 2026-11-15 09:00
3 órája | 2026-11-15 09:00
acum 3 ore | 2026-11-15 09:00
3 saat önce | 2026-11-15 09:00
dün 14:05 | 2026-11-14 14:05
πριν 3 ώρες | 2026-11-15 09:00
преди 3 часа | 2026-11-15 09:00
prije 3 sata | 2026-11-15 09:00
3 jam yang lalu | 2026-11-15 09:00
3 giờ trước | 2026-11-15 09:00
hôm qua, 14:05 | 2026-11-14 14:05
昨天 14:05 | 2026-11-14 14:05
前天 14:05 | 2026-11-13 14:05
3 小时前 | 2026-11-15 09:00
半小时前 | 2026-11-15 11:30
刚刚 | 2026-11-15 12:00
3時間前 | 2026-11-15 09:00
3시간 전 | 2026-11-15 09:00
"""


@pytest.mark.parametrize("line", RELATIVE.strip().splitlines())
def test_relative_times_count_back_from_the_fetch(line: str) -> None:
    text, value = line.split(" | ")
    assert read(text) == f"{value}+00:00"


@pytest.mark.parametrize(
    ("text", "value", "precision"),
    [
        ("Oct 31", "2026-10-31 00:00+00:00", "day"),
        ("December 24", "2025-12-24 00:00+00:00", "day"),
        ("May 2025", "2025-05-01 00:00+00:00", "month"),
        ("12月8日 19:58", "2025-12-08 19:58+00:00", "minute"),
        ("29 Feb", "2024-02-29 00:00+00:00", "day"),
    ],
)
def test_a_missing_year_is_the_last_one_that_has_passed(text: str, value: str, precision: str) -> None:
    assert read(text) == value
    assert scan(text)[0].parts.precision == precision


@pytest.mark.parametrize(
    "text",
    [
        "192.168.1.1", "10.12.13.14", "version 1.10.02", "v2.0.15", "Page 1/2", "1/2 pages", "1 - 25 of 300",
        "+49 30 12-34-56-78", "555-12-34", "$12.50", "99.95 €", "5.7k", "28.5%", "4.5 / 5", "score 3-2", "4-4-2",
        "12 replies", "Osvi31", "13/13/2024", "31/02/2024x", "00:00", "Gen 9", "Pro 9", "you may 3", "© 2001-2026",
        "32 January", "2024", "#12", "1.2.3.4.5", "in 5 min", "17 17 0", "x3 May", "12:30:45:99", "",
        "May5", "June22", "Marta7",
    ],
)  # fmt: skip
def test_numbers_that_are_no_dates_are_left_alone(text: str) -> None:
    assert scan(text) == ()


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("03/04/2024", ("dmy", "mdy")),
        ("13/04/2024", ("dmy",)),
        ("03/14/2024", ("mdy",)),
        ("03-04-05 14:05", ("dmy", "mdy", "ymd")),
        ("24-12-08 14:05", ("dmy", "ymd")),
        ("12-8 19:58", ("mdy", "dmy")),
    ],
)
def test_readings_that_a_line_cannot_settle_stay_open(text: str, orders: tuple[Order, ...]) -> None:
    assert scan(text)[0].parts.orders == orders
    assert moment(scan(text)[0].parts, NOW) is None or len(orders) == 1


def test_every_month_name_reads_back() -> None:
    for name, word in known_words().items():
        if "month" in word.roles and "month_mark" not in word.roles:
            assert scan(f"7 {name} 2021 14:05")[0].parts.month == word.month, name


def test_marks_of_writing_direction_are_passed_over() -> None:
    text = "\u200e5/\u200e14/\u200e2021 3:05 PM"
    assert read(text) == "2021-05-14 15:05+00:00"
    assert text[scan(text)[0].start : scan(text)[0].end] == text[1:]


def test_words_are_looked_up_without_case_and_accents() -> None:
    assert look_up("AOÛT") is look_up("aout") is look_up("Août")
    assert look_up("ΜΑΪΟΥ") is look_up("Μαΐου") is look_up("μαιου")


moments = st.datetimes(datetime(1995, 1, 1), datetime(2039, 12, 31)).map(lambda d: d.replace(second=0, microsecond=0))
_MONTHS = [(name, word.month) for name, word in known_words().items() if len(set(word.months.values())) == 1]


@settings(deadline=None)
@given(moments, st.sampled_from("/-."), st.sampled_from(["dmy", "mdy", "ymd"]), st.booleans(), st.booleans())
def test_numeric_dates_read_back(at: datetime, mark: str, order: Order, padded: bool, halves: bool) -> None:
    fields = {"y": f"{at.year}", "m": f"{at.month:02}" if padded else f"{at.month}", "d": f"{at.day:02}"}
    clock = at.strftime("%I:%M %p") if halves else at.strftime("%H:%M")
    text = mark.join(fields[letter] for letter in order) + ", " + clock
    assert moment(scan(text)[0].parts, NOW, order) == at.replace(tzinfo=UTC)


@settings(deadline=None)
@given(
    moments, st.data(), st.sampled_from(["{d} {m} {y}, {c}", "{d}. {m} {y} {c}", "{m} {d}, {y} {c}", "{y} {m} {d} {c}"])
)
def test_named_dates_read_back(at: datetime, data: st.DataObject, form: str) -> None:
    name = data.draw(st.sampled_from([name for name, month in _MONTHS if month == at.month]))
    text = form.format(d=at.day, m=name, y=at.year, c=at.strftime("%H:%M"))
    assert moment(scan(text)[0].parts, NOW) == at.replace(tzinfo=UTC)


@settings(deadline=None)
@given(st.integers(1, 99), st.sampled_from([("seconds", 1), ("minuten", 60), ("heures", 3600), ("dní", 86400)]))
def test_amounts_of_time_read_back(number: int, unit: tuple[str, int]) -> None:
    found = scan(f"{number} {unit[0]} ago")[0]
    assert moment(found.parts, NOW) == NOW - timedelta(seconds=number * unit[1])


pieces = st.sampled_from(
    [
        *"0123456789/-.:,()+' \n",
        "12",
        "31",
        "2024",
        "May",
        "ago",
        "vor",
        "pm",
        "Mon",
        "UTC",
        "年",
        "月",
        "日",
        "昨天",
        "前",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(pieces, max_size=25).map("".join)))
def test_any_text_gives_a_result(text: str) -> None:
    for found in scan(text):
        assert 0 <= found.start < found.end <= len(text)
        for order in (None, *found.parts.orders):
            value = moment(found.parts, NOW, order)
            assert value is None or value.tzinfo is not None


@pytest.mark.parametrize(
    "piece", ["1/", "12.", "2024-", " ", "1 ", "May ", "3 May ", "vor ", "1:", "年", "a.", "-", "12:30 ", "x'", "3 h "]
)
def test_hostile_repeats_cost_linear_time(piece: str) -> None:
    def cost(times: int) -> float:
        start = time.process_time()
        for length in range(10):
            scan(f"{length}" + piece * times)
        return time.process_time() - start

    # Linear is four times as much, quadratic sixteen times; a busy machine may double one of the two, 0.2 s is noise.
    assert min(cost(100_000), cost(100_000)) < 8 * min(cost(25_000), cost(25_000)) + 0.2


@pytest.mark.parametrize("text", ["#7 - Dec. 10, 2024", "#12 Dec. 10, 2024", "No. #3: Dec. 10, 2024"])
def test_the_number_of_a_post_before_its_date_is_no_day(text: str) -> None:
    (found,) = scan(text)
    assert (found.parts.month, found.parts.day, found.parts.year) == (12, 10, 2024)
