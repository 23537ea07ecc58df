"""Every limit of Thrawl in one place: one line a limit, with its unit and the reason for its value."""

from __future__ import annotations

from typing import Final

# --- responses: measured over 132,000 forum URLs, the largest page had 724 kB; ten times that is generous
MAX_BODY_BYTES: Final = 10 * 1024 * 1024
# --- a page of markup compresses 5 to 20 times; a bomb 1,000 times
MAX_DECOMPRESSION_RATIO: Final = 200
# --- below this many decoded bytes a ratio says nothing (an empty table compresses well)
RATIO_FREE_BYTES: Final = 256 * 1024
# --- all header lines of one response together; real ones stay under 8 KiB
MAX_HEADER_BYTES: Final = 64 * 1024
# --- seconds for one hop from the first byte sent to the last byte read; stops servers that drip
TOTAL_SECONDS: Final = 30.0
# --- seconds to get a connection; a host that needs longer is down for our purposes
CONNECT_SECONDS: Final = 10.0
# --- seconds from the request to the first byte of the answer; slow database pages need up to 10
FIRST_BYTE_SECONDS: Final = 20.0
# --- redirects followed for one URL; browsers stop at 20, honest sites need 3
MAX_REDIRECTS: Final = 10
# --- tries after the first one for broken connections, 429 and 503; at 13 % faults, one URL in 10 million is lost
MAX_RETRIES: Final = 7
# --- the longest Retry-After, in seconds, that is waited for in place
MAX_RETRY_AFTER_SECONDS: Final = 120.0
# --- RFC 9309: parse at least 500 KiB of a robots.txt, ignore the rest
MAX_ROBOTS_BYTES: Final = 500 * 1024
# --- RFC 9309: a cached robots.txt is used for a day
ROBOTS_CACHE_SECONDS: Final = 24 * 3600.0
# --- characters of a URL; the longest of 132,000 real ones had 222
MAX_URL_CHARS: Final = 4096
# --- seconds between two requests to one host unless told otherwise
DEFAULT_DELAY_SECONDS: Final = 1.0
# --- posts of one timeline held in memory by the simulation (48 bytes each); the largest shared one has 175,000
MAX_TIMELINE_POSTS: Final = 20_000_000
# --- characters of one page that are parsed; more than three times the largest forum page ever seen
MAX_PAGE_CHARS: Final = 4 * 1024 * 1024
# --- nodes of one page that are looked at; a 724 kB page has some 30,000
MAX_NODES: Final = 200_000
# --- nodes of one page that learning and the general reader study, some 20 microseconds each; the largest real page at
# hand has 9,257
MAX_STUDIED_NODES: Final = 10_000
# --- nodes of all pages that learning one forum keeps, some 400 bytes each; 200 pages of 3,000 nodes are usual
MAX_LEARNING_NODES: Final = 2_000_000
# --- bytes of all pages that learning one forum keeps; 200 pages of 50 kB are usual
MAX_LEARNING_BYTES: Final = 200 * 1024 * 1024
# --- attributes of one tag; parsers compare each with all before it (50,000 of them cost 29 s), real tags have 10
MAX_TAG_ATTRIBUTES: Final = 2_000
# --- seconds before the first retry; doubles each time, with jitter, up to MAX_BACKOFF_SECONDS
BACKOFF_SECONDS: Final = 0.5
MAX_BACKOFF_SECONDS: Final = 15.0
# --- tries after the first where another try seldom helps: no connection at all, or a server's own bug (500)
FEW_RETRIES: Final = 2
# --- the longest pause between two requests to one host, whether asked for by robots.txt or by its troubles
MAX_DELAY_SECONDS: Final = 120.0
# --- cookies kept for one host, and the bytes of one; browsers keep 180 of 4 KiB
MAX_COOKIES_PER_HOST: Final = 100
MAX_COOKIE_BYTES: Final = 4096
# --- hosts whose pace, cookies and robots.txt are remembered at once; a forum links to thousands
MAX_HOSTS: Final = 1024
# --- RFC 9309: follow at least five redirects of a robots.txt
MAX_ROBOTS_REDIRECTS: Final = 5
# --- seconds until a robots.txt that could not be had is asked for again
ROBOTS_RETRY_SECONDS: Final = 300.0
# --- bytes after which a new WARC file is begun; the custom of web archives
MAX_WARC_BYTES: Final = 1_000_000_000
# --- payloads remembered so that an unchanged page becomes a revisit record; some 20 MB of memory
MAX_WARC_DIGESTS: Final = 65_536
# --- bytes of a URL in an archive; PostgreSQL's index entries end at 2,700, real URLs at 222
MAX_STORED_URL_BYTES: Final = 2000
# --- characters of an author's name; whatever is longer was cut wrongly from a page
MAX_AUTHOR_CHARS: Final = 200
# --- refused URL patterns kept with their reasons; enough to explain a site, bounded on a site of endless words
MAX_REFUSALS: Final = 50_000
# --- URLs that the writer remembers as known, to spare the database a look: some 4 MB
RECENT_URLS: Final = 20_000
# --- URLs of threads whose thread the writer remembers, for the same reason: some 4 MB
RECENT_THREADS: Final = 20_000
# --- the same for both of them where hundreds of archives are open at once: some 0.5 MB
FRUGAL_RECENT: Final = 2_000
# --- seconds after which a page that was leased and never reported is given out again
LEASE_SECONDS: Final = 900.0
# --- pages that learning one forum may fetch, once and again; the paper needed 442 on average, most forums need 40
MAX_LEARNING_PAGES: Final = 120
# Days for which pages are kept from which a site is being learned, where a run ended before it was.
MAX_LEARNING_DAYS: Final = 7
# --- CPU seconds for reading one page; the slowest real page takes 0.2
PAGE_CPU_SECONDS: Final = 10.0
# --- seconds on the clock for reading one page, on however busy a machine
PAGE_CLOCK_SECONDS: Final = 120.0
# --- address space of one worker process; the libraries take 300 MB of it, a page of 4 MB some 200
WORKER_MEMORY_BYTES: Final = 2 * 1024**3
# --- new values of a crawl's process between two looks for cycles, of which pages leave next to none
GC_VALUES: Final = 50_000
# --- seconds until a page that failed for the moment (503, broken connection) is asked for again; times 4 each time
PAGE_RETRY_SECONDS: Final = 30.0
# --- times that one page is asked for in all, each with the client's own retries
PAGE_TRIES: Final = 3
# --- seconds until a later run tries a page again that asked for a login or showed no content
LOOK_AGAIN_SECONDS: Final = 7 * 24 * 3600.0
# --- links of one run that stand where threads stand, fit no pattern and are kept for the ledger
MAX_STRAYS: Final = 2_000
# --- times that one run mends a profile because the ledger finds something missing
MAX_MENDS: Final = 2
# --- times that one run learns a site again because its pages stopped fitting
MAX_RELEARN: Final = 2
# --- pages that fail to connect in a row before a crawl says that the site is down
MAX_DEAD_FETCHES: Final = 10
# --- open elements of one page; the parser needs a tenth of a second for 10,000 and 12 s for 100,000, pages have 22
MAX_DEPTH: Final = 10_000
# --- levels of a tree; deeper elements stand beside each other, as browsers have it (beyond 512), real pages have 22
MAX_LEVELS: Final = 256
# --- options of a page's menus that are parsed as such; the parser needs 1 s for 10,000 of one menu and 20 s for 40,000
MAX_MENU_OPTIONS: Final = 4_000
# --- characters of a post that can be found by their words; PostgreSQL takes 1 MiB of distinct words for one text
MAX_SEARCHED_CHARS: Final = 100_000
# --- characters of one word in a search index; nobody looks for longer ones
MAX_WORD_CHARS: Final = 40
# --- bytes of a feed that are read, in the watch's own process; one of 500 items with whole posts has some 500 kB
MAX_FEED_BYTES: Final = 2 * 1024 * 1024
# --- bytes of a sitemap, unpacked; one of 50,000 addresses, the most that the protocol allows, has some 8 MB
MAX_SITEMAP_BYTES: Final = 10 * 1024 * 1024
# --- characters of a picture that stands in the page itself; smileys have some hundreds, more is no picture of a post
MAX_DATA_URL_CHARS: Final = 64 * 1024
# --- pictures and files that one post is taken to show or attach; whole galleries have some hundreds
MAX_POST_MEDIA: Final = 1000
# --- bytes of all pictures and attachments of one forum; ten times a large picture thread's
MAX_FORUM_MEDIA_BYTES: Final = 50 * 1024**3
# --- files of one host other than the forum's own: what members embed, not a mirror of a picture service
MAX_HOST_MEDIA: Final = 50_000
# --- pictures that a host does not have, and none that it has, before the rest of its pictures waits for the next run:
# --- hosts of pictures die, and 10,000 questions to a dead one help nobody. The first ones are of different times
MAX_MEDIA_MISSES: Final = 3
# --- times that one file is asked for in all, over all runs, each with the client's own retries
MEDIA_TRIES: Final = 3
# --- of a limited number of requests, this share more may go to pictures and attachments
MEDIA_SHARE: Final = 0.5
# --- seconds that a worker of the fleet holds a host without being heard of; a machine that pages or a server that
# --- restarts is away for some seconds, and a forum of a dead one waits no longer than this
FLEET_LEASE_SECONDS: Final = 30.0
# --- seconds of a forum's turn while others wait; long enough that opening its archive costs nothing
FLEET_TURN_SECONDS: Final = 600.0
# --- forums that one process has under way at once; some 3 MB each, and one open socket
FLEET_FORUMS_AT_ONCE: Final = 200
# --- requests of one process that may be answered at the same moment, each with up to MAX_BODY_BYTES in memory
FLEET_REQUESTS_AT_ONCE: Final = 128
# --- forums whose readers a worker process keeps ready, 50 kB each
FLEET_READERS: Final = 256
# --- seconds without a sign of life from a process that learns forums, on however busy a machine
FLEET_LEARN_SECONDS: Final = 120.0
# --- seconds for which the fleet's event loop may stand still before what it has in hand is dropped and asked for
# --- again: after FIRST_BYTE_SECONDS of it, answers would be late for no fault of a site
FLEET_AWAY_SECONDS: Final = 10.0
