// Opens sessions that stay (leak), or a hundred of them at a time (healthy), and writes what V8 samples of them, a file a round.
// usage: node leak.js leak|healthy FOLDER ROUNDS SESSIONS
'use strict';
const inspector = require('inspector'), fs = require('fs');
const [kind, folder, rounds, sessions] = process.argv.slice(2);
const client = new inspector.Session();
client.connect();
const post = (method, options) => new Promise((done, failed) => client.post(method, options, (error, answer) => error ? failed(error) : done(answer)));

const store = new Map();

class Session {
  constructor(id) {
    this.id = id;
    this.items = new Array(20).fill(id);
  }
}

function openSession(id) {
  store.set(kind === 'leak' ? id : id % 100, new Session(id));
}

function handle(id) {
  openSession(id);
  return JSON.stringify({ id, text: 'x'.repeat(50) });
}

(async () => {
  await post('HeapProfiler.startSampling', { samplingInterval: 4096 });
  let id = 0;
  for (let round = 1; round <= rounds; round++) {
    for (let i = 0; i < sessions; i++) handle(id++);
    const { profile } = await post('HeapProfiler.getSamplingProfile');
    fs.writeFileSync(`${folder}/${round}.heapprofile`, JSON.stringify(profile));
  }
})();
