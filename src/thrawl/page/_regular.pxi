"""Part of `_flat`: pages that are written as they are meant are laid out as they stand, without a parser.

Most pages of forums close what they open. Of such a page the tree can be read off its own tags, in a third of the time
that lexbor takes to parse it and to write it out again. Whatever else a page does (tags that end elsewhere, text in
tables, elements that the standard moves or repeats) is left to lexbor: `regular` gives up at the first sign of it. So
there are few rules here, each one of the standard's (https://html.spec.whatwg.org/#tree-construction), and a test
holds every page that is taken to what lexbor makes of it.
"""

# All that a drawing may hold without ending; its own elements are written in any case.
cdef frozenset DRAWN = frozenset(
    "svg g path circle ellipse line polyline polygon rect defs use symbol stop lineargradient radialgradient clippath "
    "mask pattern text tspan".split()
)


def regular(str html, int most_nodes, int most_levels, Py_ssize_t most_tags, Py_ssize_t most_options, head):
    """What `flatten` says of a page after lexbor wrote it out; None where the page is not regular.

    `head` is told what `<head>` says, and of no use any more where it is not. Pages with more tags or menus with more
    options are for those who refuse or mend them.
    """
    cdef Source page
    cdef Layout made
    cdef Py_ssize_t room
    cdef int *links
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    page = Source(html)
    room = brackets(page)
    if room < 0 or room > most_tags:
        return None
    if room > most_options and html.lower().count("<option") >= most_options:
        return None
    room = 4 * room + 8  # a text, the element, and two that it needs around it
    links = <int *>PyMem_Malloc(6 * room * sizeof(int))
    if links == NULL:
        raise MemoryError
    made = Layout.__new__(Layout)
    made.tags, made.attributes, made.texts = [], [], []
    made.parents, made.ends, made.depths, made.groups = links, links + room, links + 2 * room, links + 3 * room
    made.loose, made.inline = links + 4 * room, links + 5 * room
    made.parent, made.most_nodes, made.most_levels = -1, most_nodes, most_levels
    try:
        read_head(page, made, head)
        read_body(page, made, head)
        return (
            made.tags,
            counted(made.parents, made.node),
            counted(made.ends, made.node),
            counted(made.depths, made.node),
            made.attributes,
            made.texts,
        )
    except Irregular:
        return None
    finally:
        PyMem_Free(links)


cdef int read_head(Source page, Layout made, object head) except -1:
    """From the beginning to behind `<body>`."""
    cdef str expected = "html", name
    cdef Opening tag
    cdef bint in_noscript = False
    page.past_declaration()
    while page.to_tag():
        if not page.is_blank():
            raise Irregular
        if page.char(page.open + 1) == u"!":
            if expected == "html" and begins(page.kind, page.data, page.size, page.open, "<!doctype"):
                page.open = page.find(u">", page.open, page.size)
                if page.open < 0:
                    raise Irregular
                page.at = page.open + 1
                continue
            if expected == "body" and page.own_text(made.joins) is not None:
                raise Irregular  # white space between comments there: not all versions of lexbor keep it
            page.past_comment()
            made.joins = True
        elif page.char(page.open + 1) == u"/":
            name = page.closing()
            if name == "noscript" and in_noscript:
                in_noscript = False
            elif name == "head" and expected == "" and not in_noscript:
                expected = "body"
                made.joins = False
            else:
                raise Irregular
        else:
            tag = page.opening()
            if tag.name == expected:
                if expected == "html":
                    made.add("html", tag.own, STRANGE, True)
                    expected = "head"
                elif expected == "head":
                    expected = ""
                else:
                    made.add("body", tag.own, STRANGE, True)
                    made.joins = False
                    return 0
            elif expected != "":
                raise Irregular
            elif tag.name == "meta" or tag.name == "link" or (tag.name == "base" and not in_noscript):
                head.add(tag.name, tag.own)
            elif tag.name == "style" or (tag.name == "script" and not in_noscript):
                page.hidden_text(tag.name)
            elif tag.name == "title" and not in_noscript:
                head.add("title", tag.own)
                head.title(decoded(page.hidden_text("title"), False))
            elif tag.name == "noscript" and not in_noscript:
                in_noscript = True
            else:
                raise Irregular
    raise Irregular


cdef int read_body(Source page, Layout made, object head) except -1:
    cdef Opening tag
    cdef int current
    cdef Py_UCS4 first
    while page.to_tag():
        first = page.char(page.open + 1)
        current = made.current()
        if TABLE <= current <= ROW and not page.is_blank():
            raise Irregular
        if first == u"!":
            made.add_text(page.own_text(made.joins))
            page.past_comment()
            made.joins = True
        elif first == u"/":
            if end(page, made):
                return read_rest(page, made)
        else:
            tag = page.opening()
            begin(page, made, tag, head)
    raise Irregular


cdef int begin(Source page, Layout made, Opening tag, object head) except -1:
    """What an opening tag does."""
    cdef int group = tag.group, current = made.current()
    cdef bint joined = made.joins
    cdef bint is_loose = group == TABLE and joined and page.text < page.open and page.is_blank()
    made.add_text(page.own_text(made.joins and tag.joins))
    made.joins = False
    if group == STRANGE:
        raise Irregular
    if group == SCRIPT:
        if tag.name == "style" and SELECT <= current <= OPTION:
            raise Irregular
        page.hidden_text(tag.name)
    elif SECTION <= group <= CAPTION:
        begin_in_table(made, group)
        made.add(tag.name, tag.own, group, True)
    elif group == OPTION or group == OPTIONS:
        if current == OPTION:
            made.pop()
        if group == OPTIONS and made.current() == OPTIONS:
            made.pop()
        if not SELECT <= made.current() <= OPTIONS:
            raise Irregular
        made.add(tag.name, tag.own, group, True)
    elif TABLE <= current <= ROW and group == ANCHOR and not made.anchors and page.html.startswith("</a>", page.at):
        if joined:  # the spaces around it would become one text
            raise Irregular
        made.add_before_table(tag.name, tag.own)
        page.at += len("</a>")
    elif TABLE <= current <= ROW or SELECT <= current <= OPTION:
        raise Irregular
    elif group == ORDINARY or group == INLINE_MARK or group == SELECT:
        made.add(tag.name, tag.own, group, True, tag.joins)
    elif group == VOID_MARK:
        made.add(tag.name, tag.own, group, False)
        made.joins = tag.joins
        if tag.in_head:
            head.add(tag.name, tag.own)
    elif group == ANCHOR:
        if made.anchors:
            raise Irregular
        made.add(tag.name, tag.own, group, True, True)
    elif group == BUTTON:
        if made.buttons:
            raise Irregular
        made.add(tag.name, tag.own, group, True)
    elif group == FIELD:
        made.add(tag.name, tag.own, group, True)
        begin_line(page)
        page.text = page.at
        page.hidden_text(tag.name)
        made.add_text(page.own_text(False))
        made.pop()
    elif group == DRAWING:
        pass_drawing(page, head)
    elif group == TEMPLATE:
        pass_template(page)
    else:
        begin_block(page, made, tag)
        made.loose[made.parent] = is_loose
    return 0


cdef int begin_in_table(Layout made, int group) except -1:
    """Close and open what a part of a table ends and needs."""
    cdef int current = made.current()
    if not TABLE <= current <= ROW:
        while PARAGRAPH == current or current == ITEM or current == TERM:
            made.pop()
            current = made.current()
        if current != CELL or group == CAPTION:
            raise Irregular
        made.pop()
    if group == CAPTION:
        if made.current() != TABLE:
            raise Irregular
        return 0
    if group <= ROW and made.current() == ROW:
        made.pop()
    if group == SECTION:
        if made.current() == SECTION:
            made.pop()
        if made.current() != TABLE:
            raise Irregular
        return 0
    if made.current() == TABLE:
        made.add("tbody", NO_ATTRIBUTES, SECTION, True)
    if group == CELL and made.current() == SECTION:
        made.add("tr", NO_ATTRIBUTES, ROW, True)
    if made.current() != (ROW if group == CELL else SECTION):
        raise Irregular
    return 0


cdef int begin_block(Source page, Layout made, Opening tag) except -1:
    """Elements that no paragraph holds."""
    cdef int group = tag.group
    if group == ITEM or group == TERM:
        if made.current() == PARAGRAPH and made.groups[made.parents[made.parent]] == group:
            made.pop()
        if made.current() == group:
            made.pop()
        elif made.has_open_item(group):
            raise Irregular
    elif group == FORM and made.forms or group == TABLE and made.paragraphs:
        raise Irregular
    if made.paragraphs:
        if made.current() != PARAGRAPH:
            raise Irregular
        made.pop()
        if made.paragraphs:
            raise Irregular
    if group == HEADING and made.current() == HEADING:
        raise Irregular
    made.add(tag.name, tag.own, group, group != RULE)
    if group == PREFORMATTED:
        begin_line(page)
    made.joins = False
    return 0


cdef int begin_line(Source page) noexcept:
    """A line that ends where its element begins shows nothing."""
    if page.at < page.size and page.char(page.at) == u"\n":
        page.at += 1
    return 0


cdef int pass_drawing(Source page, object head) except -1:
    """Go behind a drawing: it has no words but a title."""
    cdef list opened = ["svg"]
    cdef Opening title
    cdef str name
    while opened:
        if not page.to_tag():
            raise Irregular
        if page.char(page.open + 1) == u"!":
            page.past_comment()
        elif page.char(page.open + 1) == u"/":
            if page.closing() != opened.pop():
                raise Irregular
        else:
            name = page.lowered(page.open + 1, page.end_of_name(page.open + 1))
            if name == "title":
                title = page.opening()
                if not page.to_tag() or page.char(page.open + 1) != u"/" or page.closing() != "title":
                    raise Irregular
                if head is not None:
                    head.add("title", title.own)
                    head.title(decoded(PyUnicode_Substring(page.html, page.text, page.open), False))
            elif name in DRAWN:
                if not page.is_empty_tag(page.open + 1 + len(name)):
                    opened.append(name)
            else:
                raise Irregular
    return 0


cdef int pass_template(Source page) except -1:
    """Go behind a template in which every element ends where it should: nothing leaves it then."""
    cdef list opened = ["template"]
    cdef Opening tag
    while opened:
        if not page.to_tag():
            raise Irregular
        if page.char(page.open + 1) == u"!":
            page.past_comment()
        elif page.char(page.open + 1) == u"/":
            if page.closing() != opened.pop():
                raise Irregular
        else:
            tag = page.opening()
            if tag.group == DRAWING:
                pass_drawing(page, None)
            elif tag.group == SCRIPT or tag.group == FIELD:
                page.hidden_text(tag.name)
            elif tag.group == STRANGE or TABLE <= tag.group <= OPTION:
                raise Irregular
            elif tag.group != VOID_MARK and tag.group != RULE:
                opened.append(tag.name)
    return 0


cdef bint ends_with(int group, int wanted) noexcept:
    """Whether the end of an element (`wanted`) is also that of one inside it."""
    if group == PARAGRAPH or group == ITEM or group == TERM:
        return wanted == BLOCK or HEADING <= wanted <= BUTTON or TABLE <= wanted <= CELL
    if group == BLOCK or group == HEADING or group == ORDINARY:
        return wanted == BLOCK or wanted == CELL
    if group == INLINE_MARK or group == ANCHOR:
        return wanted == CELL  # elsewhere it would begin anew behind the end
    if group == OPTION:
        return wanted == SELECT or wanted == OPTIONS
    if group == OPTIONS:
        return wanted == SELECT
    if group == CELL:
        return TABLE <= wanted <= ROW
    if group == ROW:
        return wanted == SECTION or wanted == TABLE
    return group == SECTION and wanted == TABLE


cdef bint end(Source page, Layout made) except -1:
    """What an end tag does; True where it ends the body."""
    cdef str name = <str>made.tags[made.parent]
    if made.groups[made.parent] != STRANGE and page.is_end_of(name):  # most often
        made.add_text(page.own_text(False))
        made.pop()
        return False
    return end_of_others(page, made, page.closing())


cdef bint end_of_others(Source page, Layout made, str name) except -1:
    """The end of an element in which others are still open; True where it is the body's."""
    cdef bint is_body = name == "body"
    cdef int group = BLOCK if is_body else GROUPS.get(name, ORDINARY)
    if is_body and not page.is_blank():
        raise Irregular
    made.add_text(page.own_text(False))
    if group == PARAGRAPH and not made.paragraphs:
        end_of_none(made)
        return False
    while <str>made.tags[made.parent] != name:
        if not ends_with(made.current(), group):
            raise Irregular
        made.pop()
    made.pop()
    return is_body


cdef int end_of_none(Layout made) except -1:
    """The end of a paragraph that never began is an empty one."""
    if TABLE <= made.current() <= ROW or SELECT <= made.current() <= OPTION:
        raise Irregular
    made.add("p", NO_ATTRIBUTES, PARAGRAPH, False)
    made.joins = False
    return 0


cdef int read_rest(Source page, Layout made) except -1:
    """What stands behind the body says nothing, or belongs elsewhere."""
    cdef bint is_over = False
    while page.to_tag():
        if not page.is_blank():
            raise Irregular
        if page.char(page.open + 1) == u"!":
            page.past_comment()
        elif page.char(page.open + 1) != u"/" or page.closing() != "html" or is_over:
            raise Irregular
        else:
            is_over = True
    page.open = page.size
    if not page.is_blank():
        raise Irregular
    made.pop()
    return 0
