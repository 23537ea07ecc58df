"""The fixed parts of the static HTML archive: the frame of a page, its style, and the page that searches."""

from __future__ import annotations

from html import escape
from typing import Final

# Pages run no script, whatever a post holds; images may come from the forum's own servers.
_POLICY: Final = "default-src 'none'; style-src * 'unsafe-inline'; img-src * data:"


def page(title: str, body: str, *, up: str) -> str:
    """A whole page; `up` leads to the archive's top folder."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>{escape(title)}</title><link rel="stylesheet" href="{up}style.css"></head>
<body><p class="top"><a href="{up}index.html">All boards</a> · <a href="{up}search.html">Search</a></p>
{body}
</body></html>
"""


STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 1rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
article { border-top: 1px solid #8886; padding: .5rem 0; overflow-wrap: anywhere; }
article header, small, time, .crumbs, .top, nav { color: #777; font-size: .9rem; }
article header b { color: CanvasText; }
article img { max-width: 100%; height: auto; }
blockquote { border-left: 3px solid #8886; margin-left: 0; padding-left: 1rem; color: #777; }
table { width: 100%; border-collapse: collapse; }
td { border-top: 1px solid #8884; padding: .25rem .5rem .25rem 0; vertical-align: top; }
ul.boards { list-style: none; padding: 0; }
input { font: inherit; width: 100%; padding: .4rem; box-sizing: border-box; }
"""

# The search reads small script files, since a browser lets no page from disk read anything else.
SEARCH_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search</title><link rel="stylesheet" href="style.css"></head>
<body><p class="top"><a href="index.html">All boards</a></p>
<h1>Search</h1>
<input id="words" type="search" placeholder="words that a thread must hold" autofocus>
<p id="told"></p><ol id="hits"></ol>
<script src="search/about.js"></script>
<script>
"use strict";
const loaded = new Map(), waiting = new Map();
function thrawlFile(name, content) { waiting.get(name)?.(content); }
function load(name) {
  if (!loaded.has(name)) loaded.set(name, new Promise((resolve) => {
    waiting.set(name, resolve);
    const script = document.createElement("script");
    script.src = "search/" + name + ".js";
    script.onerror = () => resolve(null);
    document.head.append(script);
  }));
  return loaded.get(name);
}
function shardOf(word) {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) >>> 0;
  return "words-" + (hash % thrawlAbout.shards);
}
async function pagesWith(word) {
  const shard = await load(shardOf(word));
  if (!shard || !Object.hasOwn(shard, word)) return new Set();
  let page = 0;
  return new Set(shard[word].map((step) => (page += step)));
}
async function search(text) {
  const words = [...new Set(text.toLowerCase().match(/[\\p{L}\\p{N}_]+/gu) ?? [])];
  if (!words.length) return [];
  const sets = await Promise.all(words.map(pagesWith));
  sets.sort((a, b) => a.size - b.size);
  return [...sets[0]].filter((page) => sets.every((set) => set.has(page)));
}
let turn = 0;
async function show() {
  const mine = ++turn, found = await search(document.getElementById("words").value);
  const shown = await Promise.all(found.slice(0, 100).map(async (page) => {
    const shard = await load("pages-" + Math.floor(page / thrawlAbout.pages_a_file));
    return shard[page % thrawlAbout.pages_a_file];
  }));
  if (mine !== turn) return;
  document.getElementById("told").textContent = found.length + " pages of threads";
  document.getElementById("hits").replaceChildren(...shown.map(([path, title]) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = path; link.textContent = title; item.append(link);
    return item;
  }));
}
document.getElementById("words").addEventListener("input", show);
</script>
</body></html>
"""
