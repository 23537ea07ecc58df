// Runs the search page of a static HTML archive with just enough of a browser: node search_page.js FOLDER WORDS
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const [folder, words] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(folder, name), "utf8");
let search, hits = [];
const elements = {
  words: { value: words, addEventListener: (_, listener) => { search = listener; } },
  told: {},
  hits: { replaceChildren: (...items) => { hits = items.map((item) => item.link.href); } },
};
const head = { append: (script) => vm.runInContext(read(script.src), page) };
const createElement = () => ({ append(link) { this.link = link; } });
const page = vm.createContext({ document: { head, createElement, getElementById: (id) => elements[id] } });
vm.runInContext(read("search/about.js"), page);
vm.runInContext(/<script>([^]*?)<\/script>/.exec(read("search.html"))[1], page);
search().then(() => console.log(JSON.stringify(hits)));
