# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The hottest loops of a crawl, compiled, as `tree` and `profile.places` have them in Python.

Those use these where they were built and their own elsewhere; a test holds both to the same results, on hostile pages
too. Only these few are compiled: together they were two thirds of reading a page. What is rare (raw elements, tags
that lexbor does not write) is left to the functions of `tags`.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring

from thrawl.page.mending import HIDING
from thrawl.page.tags import IN_HEAD, INLINE, NO_ATTRIBUTES, SILENT, SKIPPED, RAW, VOID, raw_text, read_tag, unescaped

from libc.string cimport memchr

cdef extern from "Python.h":
    ctypedef unsigned short Py_UCS2
    bint Py_UNICODE_ISSPACE(Py_UCS4 char)

cdef enum:
    OPEN = 0
    EMPTY = 1
    CLOSE = 2
    SILENT_ACT = 3
    RAW_ACT = 4
    SKIP = 5

cdef str TEXT = "#text"
cdef Py_ssize_t MOST_KEPT = 16384
cdef Py_ssize_t MOST_MET = 65536
cdef Py_ssize_t LONGEST_KEPT = 400


cdef class Tag:
    """What an opening tag does to the tree."""

    cdef int act
    cdef str name
    cdef dict own
    cdef bint joins_before, joins_after, in_head


cdef dict natures = {}
cdef dict names = {}
cdef dict known = {}
cdef set met = set()
cdef list numbers = []


cdef class Written:
    """A page as lexbor writes it, with a place in it."""

    cdef str html
    cdef int kind
    cdef void *data
    cdef Py_ssize_t size
    # the tag that `next` found: text from `text` to `open`, the tag's words from `open + 1` to `close`
    cdef Py_ssize_t text, open, close, at

    def __cinit__(self, str html):
        self.html = html
        self.kind = PyUnicode_KIND(html)
        self.data = PyUnicode_DATA(html)
        self.size = len(html)
        self.at = 0

    cdef inline Py_UCS4 char(self, Py_ssize_t place) noexcept:
        return PyUnicode_READ(self.kind, self.data, place)

    cdef Py_ssize_t find(self, Py_UCS4 wanted, Py_ssize_t place, Py_ssize_t stop) noexcept:
        """The place of a sign, -1 where it does not stand before `stop`."""
        cdef const char *found
        if self.kind == 1:
            found = <const char *>memchr(<const char *>self.data + place, <int>wanted, stop - place)
            return -1 if found == NULL else found - <const char *>self.data
        if self.kind == 2:
            while place < stop:  # a sign's lower byte seldom stands elsewhere
                found = <const char *>memchr(<Py_UCS2 *>self.data + place, <int>wanted, 2 * (stop - place))
                if found == NULL:
                    return -1
                place = (found - <const char *>self.data) >> 1
                if (<Py_UCS2 *>self.data)[place] == <Py_UCS2>wanted:
                    return place
                place += 1
        else:
            while place < stop and (<Py_UCS4 *>self.data)[place] != wanted:
                place += 1
        return place if place < stop else -1

    cdef bint next(self) except -1:
        """Go on to the next tag; False where none is left."""
        cdef Py_ssize_t place = self.at, stop
        self.text = place
        place = self.find(u"<", place, self.size)
        if place < 0:
            return False
        stop = self.end_of_tag(place)
        if stop < 0:  # no bracket closes any more
            return False
        self.open, self.close, self.at = place, stop, stop + 1
        return True

    cdef Py_ssize_t end_of_tag(self, Py_ssize_t place) except -2:
        """The bracket that closes a tag; of comments and of raw elements, whose text holds any signs, the last one."""
        cdef Py_UCS4 first = self.char(place + 1) if place + 1 < self.size else u">"
        cdef Py_ssize_t stop = -1
        cdef str name
        if first == u"!":
            if self.html.startswith("<!--", place):
                stop = self.html.find("-->", place + 4)
                if stop >= 0:
                    return stop + 2
        elif first == u"s" or first == u"i" or first == u"n" or first == u"x" or first == u"p":
            stop = place + 1
            while stop < self.size and self.char(stop) != u" " and self.char(stop) != u">":
                stop += 1
            if stop < self.size:
                name = PyUnicode_Substring(self.html, place + 1, stop)
                if name in RAW or name in SKIPPED:
                    stop = self.html.find(f"</{name}>", stop)
                    if stop >= 0:
                        return stop + 2 + len(name)
        return self.find(u">", place + 1, self.size)

    cdef bint is_close_of(self, str name) noexcept:
        """Whether the tag ends the element of this name."""
        cdef Py_ssize_t place, length = len(name)
        cdef int kind = PyUnicode_KIND(name)
        cdef void *data = PyUnicode_DATA(name)
        if self.close - self.open - 2 != length:
            return False
        for place in range(length):
            if PyUnicode_READ(kind, data, place) != self.char(self.open + 2 + place):
                return False
        return True

    cdef str shown_text(self, bint joined):
        """The text before the tag, None where it is empty or nothing but white space that parts no words."""
        cdef Py_ssize_t place = self.text
        cdef str text
        while place < self.open and Py_UNICODE_ISSPACE(self.char(place)):
            place += 1
        if place == self.open and (not joined or self.text == self.open):
            return None
        if self.find(u"&", place, self.open) < 0:
            return PyUnicode_Substring(self.html, self.text, self.open)
        text = unescaped(PyUnicode_Substring(self.html, self.text, self.open))
        return None if not joined and text.isspace() else text

    cdef str text_before(self):
        return unescaped(PyUnicode_Substring(self.html, self.text, self.open))

    cdef Tag tag(self):
        """What the opening tag does; those that came before are kept."""
        cdef str written = PyUnicode_Substring(self.html, self.open + 1, self.close)
        cdef object kept = known.get(written)
        cdef Tag tag
        cdef object mark
        if kept is not None:
            return <Tag>kept
        tag = self.read(written)
        mark = hash(written)
        if mark not in met:
            if len(met) >= MOST_MET:
                met.clear()
            met.add(mark)
        elif len(written) <= LONGEST_KEPT:
            if len(known) >= MOST_KEPT:
                known.clear()
            known[written] = tag
        return tag

    cdef Tag read(self, str written):
        cdef Py_ssize_t place = self.open + 1
        cdef Tag tag = Tag.__new__(Tag)
        cdef Py_UCS4 char = self.char(place)
        if char == u"!":
            tag.act, tag.name, tag.own, tag.in_head = SKIP, "", NO_ATTRIBUTES, False
            tag.joins_before = tag.joins_after = written.startswith("!--")
            return tag
        while place < self.close and self.char(place) != u" " and self.char(place) != u">" and self.char(place) != u'"':
            place += 1
        tag.name = self.kept_name(self.open + 1, place)
        tag.act, tag.joins_before, tag.joins_after, tag.in_head = nature(tag.name)
        if tag.act == SKIP:
            tag.own = NO_ATTRIBUTES
        elif tag.act == RAW_ACT:
            tag.own = read_tag(written)[2]
        else:
            tag.own = self.attributes(place)
            if tag.own is None:
                act, tag.name, tag.own, _, _ = read_tag(written)
                tag.act, tag.joins_before, tag.joins_after, tag.in_head = nature(tag.name)
        return tag

    cdef dict attributes(self, Py_ssize_t place):
        """The attributes of the tag, from the end of its name on; None where they are not written as lexbor does."""
        cdef Py_ssize_t quote, stop
        cdef dict own = None
        cdef str value
        while True:
            quote = self.find(u'"', place, self.close)
            if quote < 0:
                return NO_ATTRIBUTES if own is None else own
            # one space, a name, "="
            if self.char(place) != u" " or quote - place < 3 or self.char(quote - 1) != u"=":
                return None
            stop = self.find(u'"', quote + 1, self.close)
            if stop < 0:
                stop = self.close
            value = PyUnicode_Substring(self.html, quote + 1, stop)
            if own is None:
                own = {}
            own[self.kept_name(place + 1, quote - 1)] = unescaped(value) if "&" in value else value
            if stop >= self.close:
                return own
            place = stop + 1

    cdef str kept_name(self, Py_ssize_t start, Py_ssize_t stop):
        """One string for all that have the same name."""
        cdef str name = PyUnicode_Substring(self.html, start, stop)
        cdef object one = names.get(name)
        if one is None:
            if len(names) >= MOST_KEPT:
                names.clear()
            names[name] = one = name
        return <str>one


cdef tuple nature(str name):
    cdef object found = natures.get(name)
    cdef bint inline
    if found is None:
        inline = name in INLINE
        if name in VOID:
            found = (EMPTY, inline, inline, name in IN_HEAD)
        elif name in SKIPPED:
            found = (SKIP, False, False, False)
        else:
            act = SILENT_ACT if name in SILENT else RAW_ACT if name in RAW else OPEN
            found = (act, inline, False, name in IN_HEAD)
        if len(natures) >= MOST_KEPT:
            natures.clear()
        natures[name] = found
    return <tuple>found


cdef list counted(int *values, Py_ssize_t size):
    """A list of node numbers. Each small number is one object, however often it is told."""
    cdef Py_ssize_t place
    cdef list result = []
    while len(numbers) <= min(size, MOST_KEPT):
        numbers.append(len(numbers))
    for place in range(size):
        result.append(numbers[values[place]] if 0 <= values[place] <= MOST_KEPT else values[place])
    return result


def flatten(str html, Py_ssize_t most_nodes, int most_levels, head):
    """The lists of a tree (tags, parents, ends, depths, attributes, texts) of a page that lexbor wrote out.

    `head` is told what `<head>` says.
    """
    cdef Written page = Written(html)
    cdef Py_ssize_t room = 2 * html.count("<") + 2
    cdef int *links = <int *>PyMem_Malloc(3 * room * sizeof(int))
    if links == NULL:
        raise MemoryError
    try:
        return _flattened(page, most_nodes, most_levels, head, links, links + room, links + 2 * room)
    finally:
        PyMem_Free(links)


cdef tuple _flattened(
    Written page, Py_ssize_t most_nodes, int most_levels, object head, int *parents, int *ends, int *depths
):
    cdef list tags = [], attributes = [], texts = []
    cdef int node = 0, parent = -1, depth = 0, too_deep = 0, last
    cdef bint joins = False
    cdef str text, written
    cdef Tag tag
    while page.next():
        if page.close > page.open + 1 and page.char(page.open + 1) == u"/":
            text = page.shown_text(False)
            if text is not None:
                tags.append(TEXT)
                attributes.append(NO_ATTRIBUTES)
                texts.append(text)
                parents[node], depths[node] = parent, depth
                node += 1
                ends[node - 1] = node
            last = parent if parent >= 0 else node - 1
            if last < 0:
                raise IndexError("an end tag before all others")
            joins = False
            if too_deep:
                too_deep -= 1
                joins = PyUnicode_Substring(page.html, page.open + 2, page.close) in INLINE
            elif page.is_close_of(<str>tags[last]):
                joins = <str>tags[last] in INLINE
                ends[last] = node
                parent = parents[last]
                depth -= 1
            else:
                joins = PyUnicode_Substring(page.html, page.open + 2, page.close) in INLINE
            if page.is_close_of("title"):
                head.title(page.text_before())
            continue
        tag = page.tag()
        text = page.shown_text(joins and tag.joins_before)
        if text is not None:
            tags.append(TEXT)
            attributes.append(NO_ATTRIBUTES)
            texts.append(text)
            parents[node], depths[node] = parent, depth
            node += 1
            ends[node - 1] = node
        joins = tag.joins_after
        if tag.act == OPEN or tag.act == EMPTY:
            if node >= most_nodes:
                break
            tags.append(tag.name)
            attributes.append(tag.own)
            texts.append("")
            parents[node], depths[node] = parent, depth
            if tag.act == OPEN:
                if depth < most_levels:
                    parent = node
                    depth += 1
                else:
                    too_deep += 1
            node += 1
            ends[node - 1] = node
            if tag.in_head:
                head.add(tag.name, tag.own)
        elif tag.act == SILENT_ACT:
            pass_over(page, tag.name, head)
        elif tag.act == RAW_ACT:
            written = PyUnicode_Substring(page.html, page.open + 1, page.close)
            tags += (tag.name, TEXT)
            attributes += (tag.own, NO_ATTRIBUTES)
            texts += ("", raw_text(written))
            parents[node], parents[node + 1] = parent, node
            depths[node], depths[node + 1] = depth, depth + 1
            node += 2
            ends[node - 2] = ends[node - 1] = node
    while parent >= 0:
        ends[parent] = node
        parent = parents[parent]
    return tags, counted(parents, node), counted(ends, node), counted(depths, node), attributes, texts


cdef int pass_over(Written page, str silent, object head) except -1:
    """Leave out a silent element; what it says of the page is kept."""
    cdef int depth = 1
    cdef bint tells = silent != "template"
    cdef Tag tag
    while page.next():
        if page.close > page.open + 1 and page.char(page.open + 1) == u"/":
            if tells and page.is_close_of("title"):
                head.title(page.text_before())
            if page.is_close_of(silent):
                depth -= 1
                if not depth:
                    return 0
            continue
        tag = page.tag()
        if tag.name == silent:
            depth += 1
        elif tag.in_head and tells:
            head.add(tag.name, tag.own)
    return 0


cdef inline bint fits(
    list attributes, list texts, Py_ssize_t node, step, str tag, classes, bint bare, class_set
) except -1:
    """Whether a node of the right tag is what a step means."""
    cdef str shown
    if tag == TEXT:
        return not (<str>texts[node]).isspace()
    if not bare and not classes:
        return True
    shown = (<dict>attributes[node]).get("class") or ""
    if bare:
        return not shown
    found = class_set(shown)
    return classes <= found and step.without.isdisjoint(found)


def descend(tree, Py_ssize_t node, tuple path, class_set):
    """The node that a path leads to from a node down, -1 where there is none; as `places` says it."""
    cdef list tags = tree.tags, ends = tree.ends, attributes = tree.attributes, texts = tree.texts
    cdef Py_ssize_t child, stop, left
    cdef bint bare, deep
    cdef str tag
    for step in path:
        tag, classes, bare, left, deep = step.tag, step.classes, step.bare, step.number, step.deep
        child, stop, node = node + 1, ends[node], -1
        while child < stop:
            if <str>tags[child] == tag and fits(attributes, texts, child, step, tag, classes, bare, class_set):
                if not left:
                    node = child
                    break
                left -= 1
            child = child + 1 if deep else ends[child]
        if node < 0:
            return -1
    return node


def index(list tags):
    """The nodes of each tag."""
    cdef dict found = {}
    cdef Py_ssize_t node
    cdef list nodes
    while len(numbers) <= min(<Py_ssize_t>len(tags), MOST_KEPT):
        numbers.append(len(numbers))
    for node in range(len(tags)):
        nodes = <list>found.get(tags[node])
        if nodes is None:
            nodes = found[tags[node]] = []
        nodes.append(numbers[node] if node <= MOST_KEPT else node)
    return found


cdef bint begins(int kind, void *data, Py_ssize_t size, Py_ssize_t place, str word) noexcept:
    """Whether a word stands there, in small letters as it is given or, of ASCII, in large ones."""
    cdef Py_ssize_t at, length = len(word)
    cdef int char
    if place + length > size:
        return False
    for at in range(length):
        char = <int>PyUnicode_READ(kind, data, place + at)
        if 65 <= char <= 90:  # A to Z
            char += 32
        if char != <int>PyUnicode_READ(PyUnicode_KIND(word), PyUnicode_DATA(word), at):
            return False
    return True


def is_plain(str html, Py_ssize_t most_words, Py_ssize_t most_tags):
    """Whether a page has nothing that has to be refused or mended before it is parsed: one look at each sign.

    No tag may have more than `most_words`, there are no more than `most_tags`, no element that hides text is closed by
    `/>`, and comments, titles and text fields that begin end, too. False where that is not sure.
    """
    cdef int kind = PyUnicode_KIND(html)
    cdef void *data = PyUnicode_DATA(html)
    cdef Py_ssize_t size = len(html), place, tags = 0, opened = -1, begun = -1
    cdef int comments = 0, titles = 0, fields = 0
    cdef bint is_script = False, in_script = False
    cdef Py_UCS4 char, first
    for place in range(size):
        char = PyUnicode_READ(kind, data, place)
        if char == u"<":
            opened = place
            first = PyUnicode_READ(kind, data, place + 1) if place + 1 < size else u" "
            if first == u"!":
                comments += begins(kind, data, size, place + 1, "!--")
                continue
            if begun < 0 and not in_script and (u"a" <= first <= u"z" or u"A" <= first <= u"Z"):
                begun = place
            if first == u"s" or first == u"S":
                is_script = begins(kind, data, size, place + 1, "script") or begins(kind, data, size, place + 1, "style")
            elif first == u"t" or first == u"T":
                titles += begins(kind, data, size, place + 1, "title")
                fields += begins(kind, data, size, place + 1, "textarea")
            elif first == u"/":
                in_script = False
                # in small letters only, as they are counted where it matters
                if html.startswith("</title>", place):
                    titles -= 1
                elif html.startswith("</textarea>", place):
                    fields -= 1
        elif char == u">":
            tags += 1
            if begun >= 0 and place - begun > 2 * most_words and spaces(kind, data, begun, place) >= most_words:
                return False
            if place >= 2 and PyUnicode_READ(kind, data, place - 1) == u"-":
                comments -= PyUnicode_READ(kind, data, place - 2) == u"-"
            elif opened >= 0 and PyUnicode_READ(kind, data, place - 1) == u"/":
                if may_hide(kind, data, size, opened + 1):
                    return False
            opened = begun = -1
            in_script, is_script = in_script or is_script, False
    if begun >= 0 and size - begun > most_words:
        return False
    return tags <= most_tags and comments <= 0 and titles <= 0 and fields <= 0


cdef Py_ssize_t spaces(int kind, void *data, Py_ssize_t place, Py_ssize_t stop) noexcept:
    """How many signs of white space stand there: fewer than words by one at the most."""
    cdef Py_ssize_t found = 0
    while place < stop:
        found += Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, place))
        place += 1
    return found


cdef bint may_hide(int kind, void *data, Py_ssize_t size, Py_ssize_t place):
    """Whether the name of a tag is one of those whose text hides markup, or that of a link, or is no plain name."""
    cdef Py_ssize_t stop = place
    cdef Py_UCS4 char
    cdef str word
    while stop < size and stop < place + 9:
        char = PyUnicode_READ(kind, data, stop)
        if char > 127:
            return True
        if not (u"a" <= char <= u"z" or u"A" <= char <= u"Z" or u"0" <= char <= u"9" or char == u"_"):
            break
        stop += 1
    for word in HIDING:
        if stop - place == len(word) and begins(kind, data, size, place, word):
            return True
    return False


include "_layout.pxi"
include "_source.pxi"
include "_regular.pxi"
