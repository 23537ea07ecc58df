// The first ten hits of a search in a static archive, and the bytes of all files that were loaded for them:
// node search_budget.js FOLDER WORDS
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const [folder, words] = process.argv.slice(2);
let bytes = 0;
const read = (name) => {
  const content = fs.readFileSync(path.join(folder, name));
  bytes += content.length;
  return content.toString("utf8");
};
const head = { append: (script) => vm.runInContext(read(script.src), page) };
const getElementById = () => ({ addEventListener: () => {} });
const page = vm.createContext({ document: { head, createElement: () => ({}), getElementById }, words });
vm.runInContext(read("search/about.js"), page);
vm.runInContext(read("assets/search.js"), page);
const first = `(async () => {
  const hits = [];
  for await (const hit of thrawlHits(words, {})) if (hit && hits.push(hit.path) === 10) break;
  return hits;
})()`;
vm.runInContext(first, page).then((hits) => console.log(JSON.stringify({ hits, bytes })));
