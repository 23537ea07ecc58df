"""The page of the static HTML archive that searches it: it cuts, proposes and checks as `words` and `search` do.

It reads small script files (export_words.py), since a browser lets no page from disk read anything else. What people
wrote is only ever set as text.
"""

from __future__ import annotations

import json
from typing import Final

from thrawl.archive.words import ACCENTS, LETTERS, UNSEEN
from thrawl.limits import MAX_WORD_CHARS

_PAGE: Final = r"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search</title><link rel="stylesheet" href="style.css"></head>
<body><p class="top"><a href="index.html">All boards</a></p>
<h1>Search</h1>
<p><input id="words" type="search" size="40" placeholder='words, "a phrase", begin*' autofocus></p>
<p><label>Board <input id="board"></label> <label>Author <input id="author"></label>
<label>From <input id="since" type="date"></label> <label>to <input id="before" type="date"></label></p>
<p id="told"></p><ol id="hits"></ol>
<script src="search/about.js"></script>
<script>
"use strict";
const LETTERS = @LETTERS@, UNSEEN = @UNSEEN@, LONGEST = @LONGEST@, SHOWN = 100, AROUND = 80;
const word = new RegExp("[\\p{L}\\p{N}\\p{M}_" + UNSEEN + "]+", "gu");
const part = new RegExp("[" + LETTERS + "]|(?:(?![" + LETTERS + "])[\\p{L}\\p{N}\\p{M}_])+", "gu");
const letter = new RegExp("^[" + LETTERS + "]", "u");
const dropped = new RegExp("[" + UNSEEN + @ACCENTS@ + "]+", "gu");
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

function folded(text) {
  const plain = text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(dropped, "").normalize("NFC");
  return plain.replaceAll("ς", "σ").replaceAll("ß", "ss");
}
function unitsOf(text) {
  const units = [];
  for (const raw of text.matchAll(word))
    for (const found of folded(raw[0]).matchAll(part))
      units.push({ text: [...found[0]].slice(0, LONGEST).join(""), begin: raw.index });
  return units;
}
function termsOf(query) {
  const terms = [];
  for (const found of query.matchAll(/"([^"]*)"?|(\S+)/g)) {
    const written = found[1] ?? found[2], units = unitsOf(written).map((unit) => unit.text);
    if (units.length) terms.push({ units, prefix: written.trimEnd().endsWith("*") });
  }
  return terms;
}
function tokensOf({ units, prefix }) {
  const last = units.length - 1, tokens = [];
  units.forEach((unit, place) => {
    if (!letter.test(unit)) tokens.push([unit, prefix && place === last]);
    else if (place < last && letter.test(units[place + 1])) tokens.push([unit + units[place + 1], false]);
    else if (place === 0 || !letter.test(units[place - 1])) tokens.push([unit, true]);
  });
  return tokens;
}
function standsAt({ units, prefix }, found, place) {
  return units.every((unit, step) => {
    const there = found[place + step]?.text;
    return prefix && step === units.length - 1 ? there?.startsWith(unit) : there === unit;
  });
}
function holds(found, terms) {
  return terms.every((term) => found.some((_, place) => standsAt(term, found, place)));
}

function shardOf(beginning) {
  let hash = 0;
  for (let i = 0; i < beginning.length; i++) hash = (Math.imul(hash, 31) + beginning.charCodeAt(i)) >>> 0;
  return "words-" + (hash % thrawlAbout.shards);
}
function shardsOf(token, begins) {
  const points = [...token];
  if (letter.test(token)) return [shardOf(points[0])];
  if (begins && points.length < 2) return Array.from({ length: thrawlAbout.shards }, (_, shard) => "words-" + shard);
  return [shardOf(points.slice(0, 2).join(""))];
}
async function postsWith([token, begins]) {
  const posts = new Set();
  for (const shard of await Promise.all(shardsOf(token, begins).map(load)))
    for (const known of Object.keys(shard ?? {}))
      if (begins ? known.startsWith(token) : known === token) {
        let post = 0;
        for (const step of shard[known]) posts.add((post += step));
      }
  return posts;
}
async function postAt(number) {
  const file = await load("posts-" + Math.floor(number / thrawlAbout.posts_a_file));
  const [path, title, author, board, published, opens, text] = file[number % thrawlAbout.posts_a_file];
  return { number, path, title, author, board, published, opens, text };
}
function wanted(post) {
  const asked = (id) => document.getElementById(id).value.trim();
  return (!asked("board") || folded(post.board).includes(folded(asked("board"))))
    && (!asked("author") || folded(post.author) === folded(asked("author")))
    && (!asked("since") || post.published >= asked("since"))
    && (!asked("before") || (post.published && post.published < asked("before")));
}
async function search(query) {
  const terms = termsOf(query), tokens = terms.flatMap(tokensOf);
  if (!tokens.length) return [];
  const sets = (await Promise.all(tokens.map(postsWith))).sort((a, b) => a.size - b.size);
  const proposed = [...sets[0]].filter((post) => sets.every((set) => set.has(post)));
  const found = [];
  for (const post of await Promise.all(proposed.map(postAt))) {
    if (!wanted(post)) continue;
    post.titled = Boolean(post.opens) && holds(unitsOf(post.title), terms);
    const units = unitsOf(post.text);
    if (!post.titled && !holds(units, terms)) continue;
    post.at = units.find((_, place) => terms.some((term) => standsAt(term, units, place)))?.begin ?? 0;
    found.push(post);
  }
  const newer = (a, b) => (a.published < b.published ? 1 : a.published > b.published ? -1 : b.number - a.number);
  return found.sort((a, b) => b.titled - a.titled || newer(a, b));
}

function shown(post) {
  const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
  link.href = post.path;
  link.textContent = post.title;
  const begin = Math.max(0, post.at - AROUND);
  text.textContent = post.author + " · " + post.published + " · " + (begin ? "…" : "")
    + post.text.slice(begin, post.at + 2 * AROUND);
  item.append(link, text);
  return item;
}
let turn = 0;
async function show() {
  const mine = ++turn, found = await search(document.getElementById("words").value);
  if (mine !== turn) return;
  const more = found.length > SHOWN ? ", the first " + SHOWN + " shown" : "";
  document.getElementById("told").textContent = found.length + " posts" + more;
  document.getElementById("hits").replaceChildren(...found.slice(0, SHOWN).map(shown));
}
for (const id of ["words", "board", "author", "since", "before"])
  document.getElementById(id).addEventListener("input", show);
</script>
</body></html>
"""


def _filled(page: str) -> str:
    values = {"LETTERS": LETTERS, "UNSEEN": UNSEEN, "ACCENTS": ACCENTS, "LONGEST": MAX_WORD_CHARS}
    for name, value in values.items():
        page = page.replace(f"@{name}@", json.dumps(value))
    return page


SEARCH_PAGE: Final = _filled(_PAGE)
