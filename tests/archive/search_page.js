// Runs the search page of a static HTML archive with just enough of a browser:
// node search_page.js FOLDER WORDS [FIELD=VALUE…]
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const [folder, words, ...fields] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(folder, name), "utf8");
let search, hits = [];
const listens = (value) => ({ value, addEventListener: (_, listener) => { search = listener; } });
const elements = {
  words: listens(words),
  told: {},
  hits: { replaceChildren: (...items) => { hits = items.map((item) => item.link.href); } },
};
for (const name of ["board", "author", "since", "before"]) elements[name] = listens("");
for (const field of fields) elements[field.split("=")[0]].value = field.split("=")[1];
const head = { append: (script) => vm.runInContext(read(script.src), page) };
const createElement = () => ({ append(link) { this.link = link; } });
const page = vm.createContext({ document: { head, createElement, getElementById: (id) => elements[id] } });
vm.runInContext(read("search/about.js"), page);
vm.runInContext(/<script>([^]*?)<\/script>/.exec(read("search.html"))[1], page);
search().then(() => console.log(JSON.stringify(hits)));
