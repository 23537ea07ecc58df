"""Part of `_flat`: the tags and texts of a page as its site writes them, one after the other."""

from html.entities import html5

# Names that stand for a character also where no semicolon ends them.
cdef frozenset UNENDED = frozenset(name for name in html5 if not name.endswith(";"))
cdef Py_ssize_t LONGEST_UNENDED = max(map(len, UNENDED))
cdef Py_ssize_t LONGEST_TAG = 4000  # characters outside quotes: in fewer stand no more attributes than a page may have
cdef dict small_names = {}
cdef dict opened_tags = {}
cdef set opened_once = set()


cdef class Opening:
    """An opening tag as its page writes it."""

    cdef int group
    cdef str name
    cdef dict own
    cdef bint joins, in_head


cdef class Source(Written):
    """A page as its site writes it."""

    cdef Opening opening(self):
        """The tag that begins at `open`; `at` is behind it then."""
        cdef str written
        cdef object kept, mark
        cdef Opening tag
        self.to_end_of_tag()
        written = PyUnicode_Substring(self.html, self.open + 1, self.close)
        kept = opened_tags.get(written)
        if kept is not None:
            return <Opening>kept
        tag = self.read_opening()
        mark = hash(written)
        if mark not in opened_once:
            if len(opened_once) >= MOST_MET:
                opened_once.clear()
            opened_once.add(mark)
        elif len(written) <= LONGEST_KEPT:
            if len(opened_tags) >= MOST_KEPT:
                opened_tags.clear()
            opened_tags[written] = tag
        return tag

    cdef int to_end_of_tag(self) except -1:
        """Find the bracket that closes the tag, and go behind it."""
        cdef Py_ssize_t place = self.open + 1, stop = self.find(u">", place, self.size), quote, bare = 0
        while stop >= 0:
            quote = self.find_quote(place, stop)
            bare += (stop if quote < 0 else quote) - place
            if quote < 0:
                break
            place = self.find(self.char(quote), quote + 1, self.size) + 1
            if not place:
                raise Irregular
            if place > stop:
                stop = self.find(u">", place, self.size)
        if stop < 0 or bare > LONGEST_TAG:
            raise Irregular
        self.close, self.at = stop, stop + 1
        return 0

    cdef Py_ssize_t find_quote(self, Py_ssize_t place, Py_ssize_t stop) noexcept:
        """The place of a quote of either kind, -1 where none stands before `stop`."""
        cdef Py_UCS4 char
        if self.kind == 2:
            while place < stop and (<Py_UCS2 *>self.data)[place] != 34 and (<Py_UCS2 *>self.data)[place] != 39:
                place += 1
        else:
            while place < stop:
                char = self.char(place)
                if char == u'"' or char == u"'":
                    break
                place += 1
        return place if place < stop else -1

    cdef Opening read_opening(self):
        cdef Opening tag = Opening.__new__(Opening)
        cdef Py_ssize_t place = self.end_of_name(self.open + 1)
        tag.name = self.lowered(self.open + 1, place)
        tag.group = GROUPS.get(tag.name, ORDINARY)
        tag.joins = tag.name in INLINE
        tag.in_head = tag.name in IN_HEAD
        if self.char(self.close - 1) == u"/" and (tag.name in HIDING or tag.group == DRAWING):
            raise Irregular  # `mending` looks at those; and a drawing may be empty
        tag.own = self.own_attributes(place)
        return tag

    cdef Py_ssize_t end_of_name(self, Py_ssize_t place) except -1:
        """Behind the name of a tag; it has to be a plain one."""
        cdef Py_UCS4 char = u">"
        while place < self.size:
            char = self.char(place)
            if not (u"a" <= char <= u"z" or u"A" <= char <= u"Z" or u"0" <= char <= u"9" or char == u"-"):
                break
            place += 1
        if place < self.size and not is_white(char) and char != u">" and char != u"/":
            raise Irregular
        return place

    cdef str lowered(self, Py_ssize_t start, Py_ssize_t stop):
        cdef str name = PyUnicode_Substring(self.html, start, stop)
        cdef object one = small_names.get(name)
        if one is None:
            if len(small_names) >= MOST_KEPT:
                small_names.clear()
            small_names[name] = one = names.setdefault(name.lower(), name.lower())
        return <str>one

    cdef dict own_attributes(self, Py_ssize_t place):
        """What the tag says behind its name; of attributes that come twice, the first."""
        cdef dict own = None
        cdef Py_ssize_t start, stop
        cdef Py_UCS4 char
        cdef str name, value
        while True:
            while place < self.close and is_white(self.char(place)):
                place += 1
            if place >= self.close:
                return NO_ATTRIBUTES if own is None else own
            if self.char(place) == u"/":
                if place + 1 != self.close:
                    raise Irregular
                return NO_ATTRIBUTES if own is None else own
            start = place
            while place < self.close:
                char = self.char(place)
                if char == u"=" or char == u"/" or is_white(char):
                    break
                if char == u'"' or char == u"'" or char == u"<" or char > 127:
                    raise Irregular
                place += 1
            if place == start:
                raise Irregular
            name = self.lowered(start, place)
            while place < self.close and is_white(self.char(place)):
                place += 1
            value = ""
            if place < self.close and self.char(place) == u"=":
                place += 1
                while place < self.close and is_white(self.char(place)):
                    place += 1
                if place >= self.close:
                    raise Irregular
                char = self.char(place)
                start = place
                if char == u'"' or char == u"'":
                    start = place + 1
                    stop = self.find(char, start, self.close)
                    if stop < 0:
                        raise Irregular
                    place = stop + 1
                    if place < self.close and not is_white(self.char(place)) and self.char(place) != u"/":
                        raise Irregular
                else:
                    while place < self.close and not is_white(self.char(place)):
                        char = self.char(place)
                        if char == u'"' or char == u"'" or char == u"<" or char == u"=" or char == u"`":
                            raise Irregular
                        place += 1
                    stop = place
                value = PyUnicode_Substring(self.html, start, stop)
                if "<" in value:  # where tags are counted, it would be one
                    raise Irregular
                if "&" in value:
                    value = decoded(value, True)
            if own is None:
                own = {}
            if name not in own:
                own[name] = value

    cdef bint is_end_of(self, str name) noexcept:
        """Whether the tag that begins at `open` is the end of an element of this name; `at` is behind it then."""
        cdef Py_ssize_t place, start = self.open + 2, length = len(name)
        cdef int kind = PyUnicode_KIND(name)
        cdef void *data = PyUnicode_DATA(name)
        if start + length >= self.size or self.char(start + length) != u">":
            return False
        for place in range(length):
            if PyUnicode_READ(kind, data, place) != self.char(start + place):
                return False
        self.at = start + length + 1
        return True

    cdef bint is_empty_tag(self, Py_ssize_t behind_name) except -1:
        """Whether the tag that begins at `open` ends with a slash; `at` is behind it then."""
        cdef Py_UCS4 char
        self.to_end_of_tag()
        if self.char(self.close - 1) != u"/":
            return False
        char = self.char(self.close - 2)
        if behind_name != self.close - 1 and not is_white(char) and char != u'"' and char != u"'":
            raise Irregular  # it may belong to an address
        return True

    cdef str closing(self):
        """The name of the end tag that begins at `open`; `at` is behind it then."""
        cdef Py_ssize_t place = self.end_of_name(self.open + 2)
        cdef str name = self.lowered(self.open + 2, place)
        while place < self.size and is_white(self.char(place)):
            place += 1
        if not name or place >= self.size or self.char(place) != u">":
            raise Irregular
        self.close, self.at = place, place + 1
        return name

    cdef int past_comment(self) except -1:
        """Go behind the comment that begins at `open`."""
        cdef Py_ssize_t stop
        if not self.html.startswith("<!--", self.open) or self.html.startswith((">", "->"), self.open + 4):
            raise Irregular
        stop = self.html.find("--", self.open + 4)
        if stop < 0 or not self.html.startswith("-->", stop):  # dashes within: seldom, and not worth rules
            stop = self.html.find("-->", self.open + 4)
            if stop < 0 or self.html.find("--!>", self.open + 4, stop + 3) >= 0:
                raise Irregular
        if self.html.find("<!--", self.open + 4, stop + 3) >= 0:
            raise Irregular
        self.at = stop + 3
        return 0

    cdef str hidden_text(self, str name):
        """The text of an element that ends at its end tag alone, from `at` on; `at` is behind that then."""
        cdef Py_ssize_t start = self.at, stop = start
        cdef str text
        while True:
            stop = self.find(u"<", stop, self.size)
            if stop < 0:
                raise Irregular
            if stop + 1 < self.size and self.char(stop + 1) == u"/" and begins(
                self.kind, self.data, self.size, stop + 2, name
            ):
                break
            stop += 1
        self.open = stop
        if self.closing() != name:
            raise Irregular
        text = PyUnicode_Substring(self.html, start, stop)
        if name == "script" and "<!--" in text and "<script" in text.lower():
            raise Irregular
        return text

    cdef bint to_tag(self) except -1:
        """Go on to the next tag, as `open` says; False where none is left. The text before begins at `text`."""
        cdef Py_UCS4 first
        self.text = self.at
        self.open = self.find(u"<", self.at, self.size)
        if self.open < 0:
            return False
        if self.open + 2 >= self.size:
            raise Irregular
        first = self.char(self.open + 1)
        if not (first == u"/" or first == u"!" or u"a" <= first <= u"z" or u"A" <= first <= u"Z"):
            raise Irregular
        return True

    cdef int past_declaration(self) except -1:
        """Go behind `<?xml … ?>`, which many pages begin with."""
        cdef Py_ssize_t stop
        if self.html.startswith("<?xml "):
            stop = self.find(u">", 0, self.size)
            if stop < 0:
                raise Irregular
            self.at = stop + 1
        return 0

    cdef bint is_blank(self) noexcept:
        """Whether the text before the tag is white space."""
        cdef Py_ssize_t place
        for place in range(self.text, self.open):
            if not is_white(self.char(place)):
                return False
        return True

    cdef str own_text(self, bint joined):
        """The text before the tag, None where it is empty or nothing but white space that parts no words."""
        cdef Py_ssize_t place = self.text
        cdef str text
        while place < self.open and Py_UNICODE_ISSPACE(self.char(place)):
            place += 1
        if place == self.open and (not joined or self.text == self.open):
            return None
        text = PyUnicode_Substring(self.html, self.text, self.open)
        if self.find(u"&", place, self.open) < 0:
            return text
        text = decoded(text, False)
        return None if not joined and text.isspace() else text


cdef Py_ssize_t brackets(Source page) noexcept:
    """How many tags there may be at the most; -1 where a sign is none that a parser would leave as it is."""
    cdef Py_ssize_t place, found = 0
    cdef int odd = 0, char
    if page.kind == 2:
        for place in range(page.size):
            char = (<Py_UCS2 *>page.data)[place]
            found += char == 60
            odd |= (char == 0) | (char >> 11 == 0x1B)
    else:
        for place in range(page.size):
            char = <int>page.char(place)
            found += char == 60
            odd |= (char == 0) | (char >> 11 == 0x1B)
    return -1 if odd else found


cdef inline bint is_white(Py_UCS4 char) noexcept:
    return char == u" " or char == u"\n" or char == u"\t" or char == u"\f"


cdef str decoded(str text, bint in_attribute):
    """The text behind its character references."""
    cdef list pieces = []
    cdef Py_ssize_t done = 0, at = text.find("&"), stop, length
    cdef Py_ssize_t size = len(text)
    cdef str word, meant
    if text.count("&") == text.count("&amp;"):  # as most addresses
        return text.replace("&amp;", "&")
    while at >= 0:
        stop = at + 1
        meant = None
        if stop < size and text[stop] == "#":
            stop = text.find(";", at)
            if stop < 0 or stop - at > 9:
                raise Irregular
            meant = numbered(text[at + 2 : stop])
        else:
            while stop < size and text[stop].isalnum() and text[stop].isascii():
                stop += 1
            word = text[at + 1 : stop]
            if word and stop < size and text[stop] == ";":
                meant = html5.get(word + ";")
            if meant is None:
                for length in range(min(<Py_ssize_t>len(word), LONGEST_UNENDED), 1, -1):
                    if word[:length] in UNENDED:
                        # in addresses, "&copy=1" is no sign of a right
                        if in_attribute and (length < len(word) or (stop < size and text[stop] == "=")):
                            break
                        raise Irregular
        if meant is not None:
            pieces.append(text[done:at])
            pieces.append(meant)
            done = stop = stop + 1
        at = text.find("&", stop)
    if not pieces:
        return text
    pieces.append(text[done:])
    return "".join(pieces)


cdef str numbered(str digits):
    """The character of a number; those that stand for others, or for none, are lexbor's."""
    cdef int number
    try:
        if digits[:1] in ("x", "X"):
            number = int(digits[1:], 16) if digits[1:].isalnum() and digits.isascii() else 0
        else:
            number = int(digits) if digits.isdigit() and digits.isascii() else 0
    except ValueError:
        number = 0
    if number < 32 or 127 <= number < 160 or 0xD800 <= number < 0xE000 or number & 0xFFFE == 0xFFFE or number > 0x10FFFF:
        raise Irregular
    if 0xFDD0 <= number <= 0xFDEF:
        raise Irregular
    return chr(number)
