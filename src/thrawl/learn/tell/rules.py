"""The learned patterns as rules for other crawlers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

from thrawl.profile.profile import Profile


def regexes(profile: Profile) -> list[str]:
    """Every pattern of a profile as an anchored regex, boards before threads, flips after their lists."""
    found = []
    for one in (*profile.index, *profile.thread):
        found.append(one.pattern.regex)
        found.extend(flip.pattern.regex for flip in one.flips)
    return list(dict.fromkeys(found))


def as_regex(profile: Profile) -> str:
    return "\n".join(regexes(profile))


def as_wget(profile: Profile) -> str:
    """A command line; wget's own regexes know no `\\d`, so PCRE is asked for."""
    pattern = "|".join(f"({regex})" for regex in regexes(profile))
    return f"wget --recursive --level=inf --regex-type=pcre --accept-regex '{pattern}' '{profile.entry}'"


def as_scrapy(profile: Profile) -> str:
    index = [flip.pattern.regex for one in profile.index for flip in one.flips]
    index += [one.pattern.regex for one in profile.index]
    thread = [flip.pattern.regex for one in profile.thread for flip in one.flips]
    thread += [one.pattern.regex for one in profile.thread]
    return "\n".join(
        [
            "from scrapy.linkextractors import LinkExtractor",
            "from scrapy.spiders import CrawlSpider, Rule",
            "",
            "",
            "class ForumSpider(CrawlSpider):",
            '    name = "forum"',
            f"    allowed_domains = [{urlsplit(profile.entry).hostname!r}]",
            f"    start_urls = [{profile.entry!r}]",
            "    rules = (",
            f"        Rule(LinkExtractor(allow={thread!r}), callback='parse_thread', follow=True),",
            f"        Rule(LinkExtractor(allow={index!r}), follow=True),",
            "    )",
            "",
            "    def parse_thread(self, response):",
            '        yield {"url": response.url, "html": response.text}',
        ]
    )


def as_heritrix(profile: Profile) -> str:
    """A decide rule for the scope of a crawl job."""
    items = "\n".join(f"      <value><![CDATA[{regex}]]></value>" for regex in regexes(profile))
    return "\n".join(
        [
            '<bean class="org.archive.modules.deciderules.MatchesListRegexDecideRule">',
            '  <property name="decision" value="ACCEPT"/>',
            '  <property name="listLogicalOr" value="true"/>',
            '  <property name="regexList">',
            "    <list>",
            items,
            "    </list>",
            "  </property>",
            "</bean>",
        ]
    )


def as_browsertrix(profile: Profile) -> str:
    """A crawl configuration (JSON is YAML, too)."""
    seed = {"url": profile.entry, "scopeType": "custom", "include": regexes(profile)}
    return json.dumps({"seeds": [seed]}, indent=2, ensure_ascii=False)


FORMATS: Final[Mapping[str, Callable[[Profile], str]]] = {
    "scrapy": as_scrapy,
    "wget": as_wget,
    "heritrix": as_heritrix,
    "browsertrix": as_browsertrix,
    "regex": as_regex,
}
