// Runs the search page of a static HTML archive with just enough of a browser:
// node search_page.js FOLDER WORDS [FIELD=VALUE…]
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const [folder, words, ...fields] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const asked = Object.fromEntries(fields.map((field) => field.split("=")));
const head = {
  append: (script) => {
    if (fs.existsSync(path.join(folder, script.src))) vm.runInContext(read(script.src), page);
    else script.onerror();
  },
};
const getElementById = () => ({ addEventListener: () => {} });
const page = vm.createContext({ document: { head, createElement: () => ({}), getElementById }, asked, words });
vm.runInContext(read("search/about.js"), page);
vm.runInContext(read("assets/search.js"), page);
vm.runInContext("(async () => { const all = []; for await (const hit of thrawlHits(words, asked)) if (hit) all.push(hit.path); return all; })()", page)
  .then((all) => console.log(JSON.stringify(all)));
