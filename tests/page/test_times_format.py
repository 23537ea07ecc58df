"""What a site's times mean: settled by all of its pages, read fast from then on."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.errors import InputError
from thrawl.page.timeformat import TimeFormat
from thrawl.page.times import find_times
from thrawl.page.timesettle import PageTimes, settle
from thrawl.page.timezones import shown_zone
from thrawl.page.tree import parse

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def page(*lines: str, footer: str = "", fetched: datetime = NOW) -> PageTimes:
    """A page with one list of times."""
    tree = parse("".join(f"<p>{line}</p>" for line in lines) + f"<div>{footer}</div>")
    mentions = find_times(tree, fetched)
    return PageTimes(mentions, fetched, (mentions,), shown_zone(tree))


def iso(form: TimeFormat, text: str, **attributes: str) -> str | None:
    value = form.read(text, attributes, NOW).value
    return value.isoformat(" ", "minutes") if value else None


def test_one_day_above_twelve_settles_the_site() -> None:
    form = settle([page("03/04/2024 10:00"), page("13/04/2024 10:00")])
    assert form.orders == (("/4", "dmy"),)
    assert iso(form, "03/04/2024 10:00") == "2024-04-03 10:00+00:00"


def test_the_order_within_a_list_settles_the_site() -> None:
    form = settle([page("02/03/2024 10:00", "03/02/2024 10:00", "03/03/2024 10:00", "04/01/2024 10:00")])
    assert form.orders == (("/4", "mdy"),)


def test_a_weekday_beside_the_date_settles_the_site() -> None:
    assert settle([page("Wed 03/04/2024 10:00")]).orders == (("/4", "dmy"),)


def test_an_attribute_beside_the_date_settles_the_site() -> None:
    assert settle([page('<time datetime="2024-03-04T10:00Z">03/04/2024</time>')]).orders == (("/4", "mdy"),)


def test_a_relative_text_settles_the_date_in_its_title() -> None:
    form = settle([page('<span title="03/04/2026 10:00">7 months ago</span>')])
    assert form.orders == (("/4", "dmy"),)
    assert iso(form, "7 months ago", title="03/04/2026 10:00") == "2026-04-03 10:00+00:00"


def test_where_the_title_stays_open_the_text_is_read() -> None:
    assert iso(TimeFormat(), "2 hours ago", title="11/10/2026 10:00") == "2026-11-15 10:00+00:00"


def test_a_reading_in_the_future_is_out() -> None:
    assert settle([page("11/12/2026 10:00")]).orders == (("/4", "mdy"),)


def test_few_foreign_dates_in_posts_do_not_unsettle_a_site() -> None:
    lines = [f"{day}/04/2024 10:00" for day in range(13, 30)]
    assert settle([page(*lines, "04/29/2024 10:00")]).orders == (("/4", "dmy"),)


def test_what_nothing_settles_stays_unread() -> None:
    form = settle([page("03/04/2024 10:00", "05/06/2024 10:00")])
    assert form.orders == ()
    read = form.read("03/04/2024 10:00", fetched=NOW)
    assert (read.value, read.precision, read.text) == (None, None, "03/04/2024 10:00")


def test_dots_mean_that_the_day_comes_first() -> None:
    assert iso(settle([page("03.04.2024 10:00")]), "03.04.2024 10:00") == "2024-04-03 10:00+00:00"


def test_two_digit_years_are_told_by_their_spread() -> None:
    lines = [f"24-{1 + day % 12:02}-{day:02} 10:00" for day in range(1, 29)]
    assert settle([page(line) for line in lines]).orders == (("-2", "ymd"),)


def test_a_style_not_seen_takes_the_order_of_the_others() -> None:
    assert iso(settle([page("13/04/2024 10:00")]), "03-04-2024 10:00") == "2024-04-03 10:00+00:00"


def test_the_other_months_tell_which_language_a_shared_name_is() -> None:
    polish = settle([page("3 listopada 2024 10:00", "3 stycznia 2024 10:00")])
    croatian = settle([page("3. listopada 2024 10:00", "3. siječnja 2024 10:00")])
    assert iso(polish, "3 listopada 2024 10:00") == "2024-11-03 10:00+00:00"
    assert iso(croatian, "3. listopada 2024 10:00") == "2024-10-03 10:00+00:00"
    assert (polish.languages, croatian.languages) == (("pl",), ("hr",))


@pytest.mark.parametrize(
    ("footer", "zone"),
    [
        ("All times are GMT +8. The time now is 02:05 PM.", 480),
        ("Alle Zeiten sind UTC+02:00", 120),
        ("It is now 14:05. All times are UTC - 5 hours [DST]", -300),
        ("GMT+8, 2026-11-15 14:37", 480),
        ("All times are <abbr>UTC</abbr>", 0),
        ("Fuseau horaire : UTC+5:30", 330),
        ("Words", None),
        ("3 May 2004 14:05 UTC", None),
        ("GMT-12 or GMT+3", None),
        ("<select><option>GMT+1</option></select>", None),
    ],
)
def test_the_zone_is_taken_from_where_the_page_says_it(footer: str, zone: int | None) -> None:
    assert settle([page("3 May 2004 14:05", footer=footer)]).zone == zone


def test_a_zone_makes_the_value_exact_and_its_lack_is_flagged() -> None:
    known = settle([page("2004-05-03 14:05", footer="GMT+8")]).read("2004-05-03 14:05", fetched=NOW)
    unknown = settle([page("2004-05-03 14:05")]).read("2004-05-03 14:05", fetched=NOW)
    assert (known.value, known.zone_known) == (datetime(2004, 5, 3, 6, 5, tzinfo=UTC), True)
    assert (unknown.value, unknown.zone_known) == (datetime(2004, 5, 3, 14, 5, tzinfo=UTC), False)


def test_the_zone_is_found_by_comparing_attributes_with_shown_times() -> None:
    lines = [f'<time datetime="2004-05-0{day}T12:05:00Z">{day} May 2004, 14:05</time>' for day in range(1, 6)]
    assert settle([page(*lines)]).zone == 120


def test_the_zone_is_found_by_comparing_minutes_ago_with_local_times() -> None:
    lines = [f'<span title="2026-11-15 13:{60 - ago}">{ago} minutes ago</span>' for ago in range(5, 12)]
    assert settle([page(*lines)]).zone == 120


def test_the_zone_is_found_by_a_clock_that_runs_with_ours() -> None:
    pages = []
    for minutes in (0, 7, 19, 23):
        fetched = NOW + timedelta(minutes=minutes, seconds=20)
        shown = (fetched + timedelta(hours=3)).strftime("%Y-%m-%d %H:%M")
        pages.append(page("2004-05-03 14:05", f"Time: {shown}", fetched=fetched))
    assert settle(pages).zone == 180


def test_a_site_whose_offset_changes_with_the_season_has_no_one_zone() -> None:
    lines = [
        '<time datetime="2004-05-03T12:05:00Z">3 May 2004, 14:05</time>',
        '<time datetime="2004-01-03T13:05:00Z">3 Jan 2004, 14:05</time>',
    ]
    assert settle([page(*lines)]).zone is None


def test_an_attribute_that_names_the_instant_wins_when_reading() -> None:
    form = TimeFormat(zone=120)
    assert iso(form, "May 2025", datetime="2025-05-20T07:35:24Z", title="May 20, 2025") == "2025-05-20 07:35+00:00"
    assert iso(form, "May 2025", title="May 20, 2025 9:35AM") == "2025-05-20 07:35+00:00"
    assert iso(form, "2 hours ago") == "2026-11-15 10:00+00:00"
    assert iso(form, "no time here") is None


FORMS = [
    "%a %b %d, %Y %I:%M %p", "%d/%m/%Y %H:%M", "%Y-%m-%d %H:%M:%S", "%d-%m-%y, %H:%M", "%B %d, %Y at %I:%M%p",
    "%d. %B %Y, %H:%M", "%Y年%m月%d日 %H:%M", "%m/%d/%Y %I:%M %p", "%d.%m.%Y", "posted %A, %d %b %Y",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_learned_form_reads_as_the_general_reader_does(form: str) -> None:
    days = [datetime(2024, 1, 5) + timedelta(days=5 * n, hours=n, minutes=7 * n) for n in range(40)]
    learned = settle([page(*[day.strftime(form) for day in days])])
    assert learned.forms
    slow = TimeFormat(learned.orders, learned.zone, learned.months, learned.languages)
    for day in days:
        text = day.strftime(form)
        assert learned.read(text, fetched=NOW) == slow.read(text, fetched=NOW)
        assert iso(learned, text) == day.replace(second=0).strftime(
            "%Y-%m-%d %H:%M+00:00" if "%M" in form else "%Y-%m-%d 00:00+00:00"
        )


def test_a_text_that_a_form_matches_only_in_part_goes_to_the_general_reader() -> None:
    form = settle([page("Joined 13/04/2024", "Joined 14/04/2024")])
    assert iso(form, "14/04/2024 15:16") == "2024-04-14 15:16+00:00"


def test_a_format_survives_the_profile() -> None:
    form = settle([page("13/04/2024 10:00", "14/04/2024 10:00", "3 listopada 2024", footer="GMT+8")])
    assert form.forms
    assert TimeFormat.from_json(json.loads(json.dumps(form.to_json()))) == form


@pytest.mark.parametrize("data", [None, [], {}, {"orders": {"/4": "ydm"}}, {"orders": 3}, "x"])
def test_a_broken_profile_is_refused_in_one_sentence(data: object) -> None:
    with pytest.raises(InputError, match="learn the site again"):
        TimeFormat.from_json(data)


@settings(deadline=None)
@given(st.text(max_size=40), st.dictionaries(st.sampled_from(["title", "datetime", "data-time"]), st.text(max_size=30)))
def test_reading_never_fails(text: str, attributes: dict[str, str]) -> None:
    form = settle([page("13/04/2024 10:00", "14/04/2024 10:00")])
    assert form.read(text, attributes, NOW).text in (text, *(value.strip() for value in attributes.values()))


def test_a_site_without_times_has_an_empty_format() -> None:
    assert settle([]) == settle([page("words")]) == TimeFormat()
