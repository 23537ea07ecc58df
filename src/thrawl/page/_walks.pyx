# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What ranges of a tree say, compiled, as `tree`, `profile.content` and `profile.markup` have it in Python."""

from html import escape

from thrawl.page.tags import INLINE

cdef str TEXT = "#text"
cdef str PRINTED = "pre"


def long_texts(list texts, Py_ssize_t least):
    cdef Py_ssize_t place
    return [place for place in range(len(texts)) if len(<str>texts[place]) >= least]


def text_between(list tags, list texts, list ends, Py_ssize_t start, Py_ssize_t end):
    cdef Py_ssize_t node
    cdef list pieces = [], open_blocks = []
    cdef str tag
    if end == start + 2 and <str>tags[start + 1] == TEXT and <str>tags[start] != TEXT:  # most links hold one text
        return " ".join((<str>texts[start + 1]).split())
    for node in range(start, end):
        tag = <str>tags[node]
        if tag == TEXT:
            while open_blocks and <Py_ssize_t>open_blocks[len(open_blocks) - 1] <= node:
                open_blocks.pop()
                pieces.append(" ")
            pieces.append(texts[node])
        elif tag not in INLINE:
            pieces.append(" ")
            open_blocks.append(ends[node])
    return " ".join("".join(pieces).split())


def last_text(tree, Py_ssize_t start, Py_ssize_t end):
    cdef Py_ssize_t node = end - 1
    cdef list tags = tree.tags, texts = tree.texts
    while node >= start:
        if <str>tags[node] == TEXT and not (<str>texts[node]).isspace():
            return node
        node -= 1
    return -1


def lines_between(tree, Py_ssize_t start, Py_ssize_t end, dict left_out, Py_ssize_t printed, breaks, str space):
    cdef Py_ssize_t node = start
    cdef list tags = tree.tags, texts = tree.texts, ends = tree.ends
    cdef list pieces = [], blocks = []
    cdef object past
    cdef str tag
    while node < end:
        while blocks and <Py_ssize_t>blocks[len(blocks) - 1] <= node:
            blocks.pop()
            pieces.append("\n")
        past = left_out.get(node) if left_out else None
        if past is not None:
            pieces.append("\n")
            node = max(node + 1, <Py_ssize_t>past)
            continue
        tag = <str>tags[node]
        if tag == TEXT:
            if node < printed:
                pieces.append((<str>texts[node]).replace(" ", space))
            else:
                pieces.append((<str>texts[node]).replace("\n", " "))
        elif tag in breaks:
            pieces.append("\n")
            blocks.append(ends[node])
            if tag == PRINTED:
                printed = ends[node]
        node += 1
    pieces.append("\n")
    return pieces


def markup_between(tree, Py_ssize_t start, Py_ssize_t end, dict left_out, empty, written):
    cdef Py_ssize_t node = start
    cdef list tags = tree.tags, texts = tree.texts, ends = tree.ends, attributes = tree.attributes
    cdef list pieces = [], open_ends = [], open_tags = []
    cdef object past
    cdef str tag, text
    while node < end:
        while open_ends and <Py_ssize_t>open_ends[len(open_ends) - 1] <= node:
            open_ends.pop()
            pieces.append(f"</{<str>open_tags.pop()}>")
        past = left_out.get(node) if left_out else None
        if past is not None:
            node = max(node + 1, <Py_ssize_t>past)
            continue
        tag = <str>tags[node]
        if tag == TEXT:
            text = <str>texts[node]
            if "&" in text or "<" in text or ">" in text:
                text = escape(text, False)
            pieces.append(text)
        else:
            pieces.append(f"<{tag}{<str>written(tag, attributes[node]) if attributes[node] else ''}>")
            if tag not in empty:
                open_ends.append(ends[node])
                open_tags.append(tag)
        node += 1
    while open_tags:
        pieces.append(f"</{<str>open_tags.pop()}>")
    return "".join(pieces)
