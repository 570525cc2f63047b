// Records its own allocations for a while, as DevTools does: timeline.js FILE. Prints how many sessions lived before, and live in the end.
const inspector = require('inspector');
const fs = require('fs');

class Session {
  constructor(id) {
    this.id = id;
    this.data = new Array(50).fill(id);
  }
}

const cache = new Map();
let garbage;

function handle() {
  cache.set(cache.size, new Session(cache.size));
  garbage = Array.from({ length: 300 }, (_, i) => ({ i }));
}

const inspected = new inspector.Session();
const chunks = [];
inspected.connect();
inspected.on('HeapProfiler.addHeapSnapshotChunk', (message) => chunks.push(message.params.chunk));
const post = (method, params) => new Promise((done, fail) => inspected.post(method, params, (error) => (error ? fail(error) : done())));

(async () => {
  for (let i = 0; i < 300; i++) handle();
  await post('HeapProfiler.startTrackingHeapObjects', { trackAllocations: false });
  for (let i = 0; i < 30; i++) {
    for (let k = 0; k < 40; k++) handle();
    await new Promise((next) => setTimeout(next, 25));
  }
  await post('HeapProfiler.stopTrackingHeapObjects');
  fs.writeFileSync(process.argv[2], chunks.join(''));
  console.log(cache.size);
})();
