// server.js leak|healthy FOLDER: a server of HTTP with a chain of handlers, and its own client; a snapshot each 300 requests, three in all.
const http = require("http"), v8 = require("v8");
const [mode, folder] = process.argv.slice(2);
class Visit { constructor(number, url) { this.number = number; this.url = url + "?" + number; this.headers = { accept: "text/html", agent: "visitor " + number }; } }
function createApp() { const layers = []; return { use(layer) { layers.push(layer); }, handle(request, response) { let at = 0; const next = () => { const layer = layers[at++]; if (layer) layer(request, response, next); }; next(); } }; }
function counter() {
  const visits = new Map(); // a leak: an entry for each request, unless it goes with its answer
  let number = 0;
  return function count(request, response, next) {
    const visit = new Visit(number++, request.url);
    visits.set(visit.number, visit);
    if (mode === "healthy") response.on("finish", () => visits.delete(visit.number));
    next();
  };
}
function pages(most) {
  const cache = new Map();
  let asked = 0;
  return function page(request, response) {
    const key = (asked++ * 31) % (2 * most);
    if (!cache.has(key)) cache.set(key, "page " + key + " ".repeat(200));
    if (cache.size > most) cache.delete(cache.keys().next().value);
    response.end(cache.get(key));
  };
}
const app = createApp();
app.use(counter());
app.use(pages(100));
const agent = new http.Agent({ keepAlive: true });
const server = http.createServer((request, response) => app.handle(request, response));
const ask = (port) => new Promise((done) => http.get({ port, agent, path: "/shop" }, (response) => response.resume().on("end", done)));
server.listen(0, "127.0.0.1", async () => {
  for (let step = 0; step < 3; step++) {
    for (let i = 0; i < 300; i++) await ask(server.address().port);
    v8.writeHeapSnapshot(`${folder}/server-${mode}-${step}.heapsnapshot`);
  }
  process.exit(0);
});
