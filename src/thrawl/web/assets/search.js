// Searches a static archive from disk: cuts words as Thrawl's databases do, loads the few files that a query needs,
// and checks every hit on its own text. What people wrote is only ever set as text.
"use strict";
const SHOWN = 10, AROUND = 80, BUDGET = 700_000;
const { letters: LETTERS, unseen: UNSEEN, accents: ACCENTS, longest: LONGEST } = thrawlAbout.cutting;
const word = new RegExp("[\\p{L}\\p{N}\\p{M}_" + UNSEEN + "]+", "gu");
const part = new RegExp("[" + LETTERS + "]|(?:(?![" + LETTERS + "])[\\p{L}\\p{N}\\p{M}_])+", "gu");
const letter = new RegExp("^[" + LETTERS + "]", "u");
const dropped = new RegExp("[" + UNSEEN + ACCENTS + "]+", "gu");
const loaded = new Map(), waiting = new Map();
let loadedChars = 0;

function thrawlFile(name, content) {
  waiting.get(name)?.(content);
}
function load(name) {
  if (!loaded.has(name)) loaded.set(name, new Promise((resolve) => {
    waiting.set(name, (content) => {
      loadedChars += JSON.stringify(content).length;
      resolve(content);
    });
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

// Tokens are sorted by code points, as Python sorts them; JavaScript's own order is that of UTF-16.
function compare(one, other) {
  const a = [...one], b = [...other];
  for (let i = 0; i < Math.min(a.length, b.length); i++)
    if (a[i] !== b[i]) return a[i].codePointAt(0) - b[i].codePointAt(0);
  return a.length - b.length;
}
function leafOf(leaves, token) {
  let low = 0, high = leaves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(leaves[middle], token) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
function numbersIn(steps) {
  let number = 0;
  return steps.split(",").map((step) => (number += Number(step)));
}
// The lists of all tokens that fit: strings of steps, and numbers of parts where a token is common.
async function listsOf(kind, [token, begins]) {
  const leaves = thrawlAbout[kind], lists = [];
  for (let leaf = Math.max(0, leafOf(leaves, token)); leaf < leaves.length; leaf++) {
    const known = (await load(kind + "-" + leaf)) ?? [];
    for (const [one, list] of known) if (begins ? one.startsWith(token) : one === token) lists.push(list);
    if (!begins) break;
    if (leaf + 1 >= leaves.length || !leaves[leaf + 1].startsWith(token)) break;
  }
  return lists;
}
// Posts that may hold all tokens, the newest first. A common token only serves where nothing is rarer.
async function* proposedBy(kind, tokens) {
  const all = await Promise.all(tokens.map((token) => listsOf(kind, token)));
  if (all.some((lists) => !lists.length)) return;
  const rare = all.filter((lists) => lists.every((list) => typeof list === "string"));
  if (rare.length) {
    const sets = rare.map((lists) => new Set(lists.flatMap(numbersIn))).sort((a, b) => a.size - b.size);
    yield* [...sets[0]].filter((post) => sets.every((set) => set.has(post))).sort((a, b) => a - b);
    return;
  }
  const fewest = all.sort((a, b) => a.flat().length - b.flat().length)[0];
  if (fewest.length === 1) {
    for (const number of fewest[0]) yield* numbersIn((await load(kind + "-part-" + number)) ?? "0");
    return;
  }
  const posts = new Set();
  for (const list of fewest)
    if (typeof list === "string") numbersIn(list).forEach((post) => posts.add(post));
    else for (const number of list)
      numbersIn((await load(kind + "-part-" + number)) ?? "0").forEach((post) => posts.add(post));
  yield* [...posts].sort((a, b) => a - b);
}
async function postAt(number) {
  const begins = thrawlAbout.posts;
  let low = 0, high = begins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (begins[middle] <= number) low = middle + 1;
    else high = middle;
  }
  const file = (await load("posts-" + (low - 1))) ?? [], row = file[number - begins[low - 1]];
  if (!row) return null;
  const [path, title, author, board, published, opens, text] = row;
  return { number, path, title, author, board, published, opens, text };
}
function wanted(post, asked) {
  return (!asked.board || folded(post.board).includes(folded(asked.board)))
    && (!asked.author || folded(post.author) === folded(asked.author))
    && (!asked.since || post.published >= asked.since)
    && (!asked.before || (post.published && post.published < asked.before));
}
// All hits, one by one: opening posts of threads whose titles hold the words, then the newest posts.
async function* thrawlHits(query, asked) {
  const terms = termsOf(query), tokens = terms.flatMap(tokensOf), titled = new Set();
  if (!tokens.length) return;
  for await (const number of proposedBy("titles", tokens)) {
    const post = await postAt(number);
    if (!post || !wanted(post, asked) || !holds(unitsOf(post.title), terms)) continue;
    titled.add(number);
    yield { ...post, at: 0 };
  }
  for await (const number of proposedBy("words", tokens)) {
    const post = titled.has(number) ? null : await postAt(number);
    if (!post || !wanted(post, asked)) { yield null; continue; }
    const units = unitsOf(post.text);
    if (!holds(units, terms)) { yield null; continue; }
    yield { ...post, at: units.find((_, place) => terms.some((term) => standsAt(term, units, place)))?.begin ?? 0 };
  }
}

function shown(post) {
  const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
  link.href = post.path;
  link.textContent = post.title;
  link.dir = text.dir = "auto";
  const begin = Math.max(0, post.at - AROUND);
  text.textContent = post.author + " · " + post.published + " · " + (begin ? "…" : "")
    + post.text.slice(begin, post.at + 2 * AROUND);
  item.append(link, text);
  return item;
}
const field = (name) => document.getElementById(name);
let turn = 0, hits = null, number = 0;
async function further(mine) {
  const before = loadedChars, page = [];
  let ended = false;
  while (page.length < SHOWN && loadedChars - before < BUDGET) {
    const { value, done } = await hits.next();
    if (mine !== turn) return;
    if (done) { ended = true; break; }
    if (value) page.push(shown(value));
  }
  number += page.length;
  field("hits").append(...page);
  field("told").textContent = number + (number === 1 ? " post" : " posts") + (ended ? "" : " so far");
  field("more").hidden = ended;
}
async function begin() {
  const mine = ++turn, asked = {};
  for (const name of ["board", "author", "since", "before"]) asked[name] = field(name).value.trim();
  number = 0;
  field("hits").replaceChildren();
  hits = thrawlHits(field("words").value, asked);
  await further(mine);
}
for (const name of ["words", "board", "author", "since", "before"]) field(name).addEventListener("input", begin);
field("more").addEventListener("click", () => further(turn));
