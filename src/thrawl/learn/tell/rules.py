"""What was learned, as rules for other crawlers: what they fetch by them is what Thrawl fetches.

Rules are more than patterns: where to start (the entry page and boards that it does not link to), what is excluded,
session ids, a polite pace, and robots.txt. Scrapy removes session ids from URLs as Thrawl does. The others cannot, so
their patterns take URLs with and without them; with cookies on, sites stop writing session ids after the first page.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from thrawl.limits import DEFAULT_DELAY_SECONDS
from thrawl.profile.patterns import Hole, Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

_DELAY: Final = round(DEFAULT_DELAY_SECONDS)
NOTHING: Final = "(?!)"  # what no URL fits; crawlers take an empty list for everything
_FOR_PROGRAMS: Final = r"\.(?:rss|xml|atom|json|rdf)$"
_VALUE: Final = re.compile(r"=[^/?&=#{}]+")
_HOST_END: Final = re.compile(r"https?://[^/?#]*")


def regexes(profile: Profile) -> list[str]:
    """Every pattern of a profile as an anchored regex, boards before threads, flips after their lists."""
    return _regexes((*profile.index, *profile.thread), profile.session_parameters)


def excluded(profile: Profile) -> list[str]:
    """The URLs that fit a pattern and are to be left alone, as regexes; feeds of lists are left to programs."""
    return [*(_regex(Pattern((url,)), profile.session_parameters) for url in profile.excluded), _FOR_PROGRAMS]


def seeds(profile: Profile) -> list[str]:
    """Where a crawl starts. Lists in reserve come when a page links to them: the others are to bring threads first."""
    types = UrlTypes(profile)
    needed = (url for url in profile.seeds if (found := types.type(url)) is None or not found.reserve)
    return list(dict.fromkeys((profile.entry, *needed)))


def as_regex(profile: Profile) -> str:
    return "\n".join(regexes(profile))


def as_wget(profile: Profile) -> str:
    """A command line; wget's own regexes know no `\\d`, so PCRE is asked for.

    Files get an ending, or a thread `/t/5` would be in the way of the folder of its second page, `/t/5/2`.
    """
    words = ["wget", "--recursive", "--level=inf", "--adjust-extension", f"--wait={_DELAY}", "-e", "robots=on"]
    words += ["--regex-type=pcre", "--accept-regex", _alternation(regexes(profile))]
    words += ["--reject-regex", _alternation(excluded(profile))]
    return shlex.join([*words, *seeds(profile)])


def _alternation(found: Iterable[str]) -> str:
    return "|".join(f"({regex})" for regex in found) or NOTHING


def as_scrapy(profile: Profile) -> str:
    """A spider that needs nothing but Scrapy. It reads links where Thrawl does: menus and the page's head, too."""
    values = {
        "host": urlsplit(profile.entry).hostname or "",
        "scheme": urlsplit(profile.entry).scheme,
        "seeds": seeds(profile),
        "index": _regexes((one for one in profile.index if not one.reserve), ()) or [NOTHING],
        "reserve": _regexes((one for one in profile.index if one.reserve), ()) or [NOTHING],
        "thread": _regexes(profile.thread, ()) or [NOTHING],
        "excluded": [*(_regex(Pattern((url,)), ()) for url in profile.excluded), _FOR_PROGRAMS],
        "sessions": list(profile.session_parameters),
        "delay": _DELAY,
    }
    return re.sub(r"@(\w+)@", lambda found: repr(values[found[1]]), _SPIDER)


_SPIDER: Final = r'''import re

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

SESSIONS = @sessions@
INDEX = @index@
RESERVE = @reserve@  # lists that may bring nothing new: asked for last
THREAD = @thread@
EXCLUDED = @excluded@


def one_form(url):
    """The URL as the patterns know it: without session ids and fragment, in the scheme of the entry page."""
    url = url.partition("#")[0]
    for name in SESSIONS:
        url = re.sub(rf"(?i);{re.escape(name)}=[^/?&;]*", "", url)
        url = re.sub(rf"(?i)([?&]){re.escape(name)}=[^&;]*[&;]?", r"\1", url)
    url = url.rstrip("?&") if SESSIONS else url
    return re.sub(rf"^https?://(?={re.escape(@host@)}(?::\d+)?[/?]|$)", @scheme@ + "://", url)


def links(allow):
    return LinkExtractor(
        allow=allow,
        deny=EXCLUDED,
        tags=("a", "area", "option", "link"),
        attrs=("href", "value"),
        deny_extensions=(),
        process_value=one_form,
    )


def last(request, response):
    return request.replace(priority=-1)


class ForumSpider(CrawlSpider):
    name = "forum"
    allowed_domains = [@host@]
    start_urls = @seeds@
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "DOWNLOAD_DELAY": @delay@,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": @delay@,
    }
    rules = (
        Rule(links(THREAD), callback="parse_thread", follow=True),
        Rule(links(INDEX), follow=True),
        Rule(links(RESERVE), follow=True, process_request=last),
    )

    def parse_thread(self, response):
        yield {"url": response.url, "html": response.text}'''


def as_heritrix(profile: Profile) -> str:
    """The beans of a crawl job that differ from Heritrix's own: seeds, pace, scope and how URLs are told apart."""
    sessions = "".join(f"\n      {_session_rule(name)}" for name in profile.session_parameters)
    return _HERITRIX.format(
        delay=_DELAY * 1000,
        seeds="\n".join(map(escape, seeds(profile))),
        accepted=_values(regexes(profile)),
        rejected=_values(excluded(profile)),
        sessions=sessions,
    )


def _values(found: Iterable[str]) -> str:
    return "\n".join(f"          <value>{escape(regex)}</value>" for regex in found)


def _session_rule(name: str) -> str:
    """Two URLs that differ in a session id are one; `(.*)` before and after it stay."""
    regex = escape(f"^(.*?)(?:[?&;]{_any_case(name)}=[^/?&;#]*)(.*)$")
    return (
        '<bean class="org.archive.modules.canonicalize.RegexRule">'
        f'<property name="regex" value="{regex}"/><property name="format" value="${{1}}${{2}}"/></bean>'
    )


_HERITRIX: Final = """<beans>
  <bean id="simpleOverrides" class="org.springframework.beans.factory.config.PropertyOverrideConfigurer">
    <property name="properties">
      <props>
        <prop key="metadata.robotsPolicyName">obey</prop>
        <prop key="disposition.minDelayMs">{delay}</prop>
        <prop key="seeds.textSource.value">
{seeds}
        </prop>
      </props>
    </property>
  </bean>
  <bean id="scope" class="org.archive.modules.deciderules.DecideRuleSequence">
    <property name="rules"><list>
      <bean class="org.archive.modules.deciderules.RejectDecideRule"/>
      <bean class="org.archive.modules.deciderules.SeedAcceptDecideRule"/>
      <bean class="org.archive.modules.deciderules.MatchesListRegexDecideRule">
        <property name="decision" value="ACCEPT"/>
        <property name="listLogicalOr" value="true"/>
        <property name="regexList"><list>
{accepted}
        </list></property>
      </bean>
      <bean class="org.archive.modules.deciderules.MatchesListRegexDecideRule">
        <property name="decision" value="REJECT"/>
        <property name="listLogicalOr" value="true"/>
        <property name="regexList"><list>
{rejected}
        </list></property>
      </bean>
      <bean class="org.archive.modules.deciderules.PrerequisiteAcceptDecideRule"/>
    </list></property>
  </bean>
  <bean id="canonicalizationPolicy" class="org.archive.modules.canonicalize.RulesCanonicalizationPolicy">
    <property name="rules"><list>
      <bean class="org.archive.modules.canonicalize.StripUserinfoRule"/>{sessions}
    </list></property>
  </bean>
</beans>"""


def as_browsertrix(profile: Profile) -> str:
    """A crawl configuration (JSON is YAML, too)."""
    scope = {"scopeType": "custom", "include": regexes(profile) or [NOTHING], "exclude": excluded(profile)}
    config = {
        "seeds": [{"url": url, **scope} for url in seeds(profile)],
        "workers": 1,
        "pageExtraDelay": _DELAY,
        "robots": True,
    }
    return json.dumps(config, indent=2, ensure_ascii=False)


def with_flips_met(profile: Profile, met: Iterable[tuple[str, str]]) -> Profile:
    """The profile with flips that no pattern explains and a crawl found all the same, as (list, flip) URLs.

    Learning may meet short lists only; the crawl reads their pagers as they come, which other crawlers cannot.
    """
    for list_url, flip_url in met:
        rest = flip_url.removeprefix(list_url)
        shape = _VALUE.sub("={page:word}", rest, count=1)
        if rest == flip_url or shape == rest:
            continue
        profile = replace(
            profile,
            index=tuple(_with_flip(one, list_url, shape) for one in profile.index),
            thread=tuple(_with_flip(one, list_url, shape) for one in profile.thread),
        )
    return profile


def _with_flip(one: ListPattern, list_url: str, shape: str) -> ListPattern:
    if one.flips or one.pattern.match(list_url) is None:
        return one
    return replace(one, flips=(Flip(Pattern((*one.pattern.pieces, *Pattern.parse(shape).pieces))),))


FORMATS: Final[Mapping[str, Callable[[Profile], str]]] = {
    "scrapy": as_scrapy,
    "wget": as_wget,
    "heritrix": as_heritrix,
    "browsertrix": as_browsertrix,
    "regex": as_regex,
}


# --- patterns that take session ids


def _regexes(lists: Iterable[ListPattern], sessions: Iterable[str]) -> list[str]:
    patterns = (pattern for one in lists for pattern in (one.pattern, *(flip.pattern for flip in one.flips)))
    return list(dict.fromkeys(_regex(pattern, tuple(sessions)) for pattern in patterns))


def _regex(pattern: Pattern, sessions: Iterable[str]) -> str:
    """The anchored regex of a pattern, with room for session ids wherever a site may write one."""
    names = "|".join(_any_case(name) for name in sessions)
    return f"^{''.join(_with_sessions(pattern, names))}$" if names else pattern.regex


def _with_sessions(pattern: Pattern, names: str) -> Iterator[str]:
    """The pieces of a regex: path parameters may end each segment, query parameters stand at any place."""
    in_path = f"(?:;(?:{names})=[^/?&;#]*)?"
    in_query = f"(?:(?:{names})=[^&;#]*[&;])*"
    query = False
    for piece in pattern.pieces:
        if isinstance(piece, Hole):
            yield f"({piece.expression})"
            continue
        host = _HOST_END.match(piece)
        if host:
            yield Pattern((host[0] + "/",)).expression
        for char in piece[host.end() + 1 if host else 0 :]:
            starts = char == "?" and not query
            query = query or starts
            if starts:
                yield f"{in_path}\\?{in_query}"
            elif char == "/" and not query:
                yield f"{in_path}/"
            else:
                yield f"{re.escape(char)}{in_query if char == '&' and query else ''}"
    yield f"(?:[&;](?:{names})=[^&;#]*)*" if query else f"{in_path}(?:\\?(?:{names})=[^&;#]*)?"


def _any_case(name: str) -> str:
    """A regex for a name in whatever case, without the flags that not all crawlers know."""
    return "".join(f"[{char.upper()}{char.lower()}]" if char.isalpha() else re.escape(char) for char in name)
