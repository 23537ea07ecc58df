"""Part of `_flat`: the tree of a page while it grows tag by tag, and what the standard makes of each kind of element."""

cdef enum Group:
    ORDINARY, INLINE_MARK, BLOCK, PARAGRAPH, HEADING, PREFORMATTED, FORM, ITEM, TERM, BUTTON, ANCHOR,
    TABLE, SECTION, ROW, CELL, CAPTION, SELECT, OPTIONS, OPTION, FIELD, VOID_MARK, RULE, SCRIPT, DRAWING, TEMPLATE,
    STRANGE

cdef dict GROUPS = {}
for _group, _names in (
    (INLINE_MARK, "b big code em font i s small strike strong tt u"),
    (
        BLOCK,
        "address article aside blockquote center details dir div dl fieldset figcaption figure footer header "
        "hgroup main menu nav ol section summary ul",
    ),
    (PARAGRAPH, "p"),
    (HEADING, "h1 h2 h3 h4 h5 h6"),
    (PREFORMATTED, "pre"),
    (FORM, "form"),
    (ITEM, "li"),
    (TERM, "dd dt"),
    (BUTTON, "button"),
    (ANCHOR, "a"),
    (TABLE, "table"),
    (SECTION, "tbody thead tfoot"),
    (ROW, "tr"),
    (CELL, "td th"),
    (CAPTION, "caption"),
    (SELECT, "select"),
    (OPTIONS, "optgroup"),
    (OPTION, "option"),
    (FIELD, "textarea"),
    (VOID_MARK, "area br embed img input link meta wbr"),
    (RULE, "hr"),
    (SCRIPT, "script style"),
    (DRAWING, "svg"),
    (TEMPLATE, "template"),
    (
        STRANGE,
        "applet base basefont bgsound body col colgroup dialog frame frameset head html iframe image isindex keygen "
        "listing marquee math nobr noembed noframes object param plaintext rb rp rt rtc ruby search source "
        "title track xmp",
    ),
):
    for _name in _names.split():
        GROUPS.setdefault(_name, _group)

cdef int MOST_MOVED = 64  # nodes that one is put before: any number of times, so few


class Irregular(Exception):
    """The page is one for lexbor."""


cdef class Layout:
    """The tree of a regular page while it grows."""

    cdef list tags, attributes, texts
    cdef int *parents
    cdef int *ends
    cdef int *depths
    cdef int *groups
    cdef int *loose
    cdef int *inline
    cdef int node, parent, depth, most_nodes, most_levels
    cdef bint joins
    cdef int paragraphs, anchors, buttons, forms

    cdef int add_text(self, str text) except -1:
        if text is not None:
            self.tags.append(TEXT)
            self.attributes.append(NO_ATTRIBUTES)
            self.texts.append(text)
            self.parents[self.node], self.depths[self.node] = self.parent, self.depth
            self.node += 1
            self.ends[self.node - 1] = self.node
        return 0

    cdef int add(self, str name, dict own, int group, bint is_open, bint inline=False) except -1:
        cdef int node = self.node
        if node >= self.most_nodes or self.depth >= self.most_levels:
            raise Irregular
        self.tags.append(name)
        self.attributes.append(own)
        self.texts.append("")
        self.parents[node], self.depths[node], self.groups[node] = self.parent, self.depth, group
        self.loose[node], self.inline[node] = 0, inline
        self.node += 1
        self.ends[node] = self.node
        if is_open:
            self.parent = node
            self.depth += 1
            self.paragraphs += group == PARAGRAPH
            self.anchors += group == ANCHOR
            self.buttons += group == BUTTON
            self.forms += group == FORM
        return 0

    cdef int add_before_table(self, str name, dict own) except -1:
        """An empty element right before the table that is open: what stands between its cells is put there."""
        cdef int table = self.parent, node
        while self.groups[table] != TABLE:
            table = self.parents[table]
        if self.loose[table] or self.node - table > MOST_MOVED or self.node >= self.most_nodes:
            raise Irregular
        self.tags.insert(table, name)
        self.attributes.insert(table, own)
        self.texts.insert(table, "")
        for node in range(self.node, table, -1):
            self.parents[node] = self.parents[node - 1] + (self.parents[node - 1] >= table)
            self.ends[node] = self.ends[node - 1] + 1
            self.depths[node] = self.depths[node - 1]
            self.groups[node] = self.groups[node - 1]
            self.loose[node], self.inline[node] = self.loose[node - 1], self.inline[node - 1]
        self.ends[table] = table + 1
        self.groups[table] = STRANGE
        self.node += 1
        self.parent += 1
        return 0

    cdef int current(self) noexcept:
        return self.groups[self.parent]

    cdef int pop(self) except -1:
        cdef int node = self.parent, group = self.groups[node]
        self.ends[node] = self.node
        self.parent = self.parents[node]
        self.depth -= 1
        self.paragraphs -= group == PARAGRAPH
        self.anchors -= group == ANCHOR
        self.buttons -= group == BUTTON
        self.forms -= group == FORM
        self.joins = self.inline[node]
        return 0

    cdef bint has_open_item(self, int wanted) except -1:
        """Whether an item is open that the next one ends."""
        cdef int node = self.parent, group
        while node >= 0:
            group = self.groups[node]
            if group == wanted:
                return True
            if group == BLOCK:
                if <str>self.tags[node] != "div" and <str>self.tags[node] != "address":
                    return False
            elif group != ORDINARY and group != INLINE_MARK and group != ANCHOR and group != PARAGRAPH:
                return False
            node = self.parents[node]
        return False
