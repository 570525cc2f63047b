// leak.js IDIOM leak|healthy FOLDER: one way to leak in JavaScript, or its healthy twin, which fills up and stays; five heap snapshots.
const v8 = require("v8");
const EventEmitter = require("events");
const [idiom, mode, folder] = process.argv.slice(2);
const most = mode === "leak" ? Infinity : 300;

class Session {
  constructor(i) {
    this.user = "user " + String(i).padStart(5, "0"); // as long for each
    this.body = new Array(30).fill(i);
  }
}

const idioms = {
  map() {
    const cache = new Map();
    return function handle(i) {
      cache.set(i % most, new Session(i));
    };
  },
  object() {
    const byName = {};
    return function keep(i) {
      byName["name" + (i % most)] = new Session(i);
    };
  },
  listeners() {
    const bus = new EventEmitter().setMaxListeners(0);
    return function listen(i) {
      const session = new Session(i);
      bus.on("change", () => session.user);
      if (bus.listenerCount("change") > most) bus.off("change", bus.listeners("change")[0]);
    };
  },
  timers() {
    const started = [];
    return function start(i) {
      const session = new Session(i);
      started.push(setTimeout(() => session.user, 1e8));
      if (started.length > most) clearTimeout(started.shift());
      else if (most === Infinity) started.pop();
    };
  },
  global() {
    globalThis.store = [];
    return function put(i) {
      globalThis.store.push(new Session(i));
      if (globalThis.store.length > most) globalThis.store.shift();
    };
  },
  plain() {
    const rows = new Set();
    return function add(i) {
      rows.add({ number: i, title: "row " + i, tags: [i, i + 1] });
      if (rows.size > most) rows.delete(rows.values().next().value);
    };
  },
};

const work = idioms[idiom]();
for (let step = 0; step < 5; step++) {
  for (let i = 0; i < 400; i++) work(step * 400 + i);
  v8.writeHeapSnapshot(`${folder}/${idiom}-${mode}-${step}.heapsnapshot`);
}
process.exit(0);
