#!/usr/bin/env node
// Deterministic generator of memory traces in the AntTracks JSON form, one file per step.
//   node gen.mjs --leaves N --steps T --seed S --out DIR | --hash
// Only + - * / and sqrt are used on floats, so the output is the same on every IEEE machine and
// every Node version. app/bench/generate.c makes the same; --hash prints the size and the FNV-1a hash of
// all steps together, which tests/test_app_generate.c expects.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: o } = parseArgs({ options: {
  leaves: { type: 'string', default: '1000' }, steps: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' }, out: { type: 'string' }, hash: { type: 'boolean', default: false },
} });
const N = Number(o.leaves), T = Number(o.steps), S = Number(o.seed) >>> 0;
if (!(o.out || o.hash) || !(N >= 1) || !(T >= 1) || !Number.isInteger(N) || !Number.isInteger(T)) {
  console.error('usage: node gen.mjs --leaves N --steps T --seed S --out DIR | --hash'); process.exit(2);
}

// ---- random numbers: a stateless hash, so any (stream, index) can be asked for in any order
function hash(a, b, c) {                    // 32-bit mix of three ints and the seed
  let h = (S ^ 0x9e3779b9) | 0;
  for (const v of [a, b, c]) {
    h = Math.imul(h ^ v, 0x85ebca6b); h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35); h ^= h >>> 16; h = (h + 0x6d2b79f5) | 0;
  }
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d); h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39); h ^= h >>> 15;
  return h >>> 0;
}
const u01 = (a, b, c) => (hash(a, b, c) + 0.5) / 4294967296;          // (0,1)
const pareto = (u) => 1 / (Math.sqrt(u) * Math.sqrt(Math.sqrt(u)));   // u^-0.75: alpha = 4/3

// ---- districts: about sqrt(N) packages, heavy-tailed in how many types they hold
const D = Math.max(1, Math.min(N, Math.round(Math.sqrt(N))));
const w = new Float64Array(D); let wsum = 0;
for (let d = 0; d < D; d++) wsum += (w[d] = Math.min(pareto(u01(1, d, 0)), 60));
const dsize = new Int32Array(D); let given = 0;
for (let d = 0; d < D; d++) given += (dsize[d] = 1 + Math.floor((N - D) * w[d] / wsum));
for (let d = 0; given < N; d = (d + 1) % D) { dsize[d]++; given++; }

const TOP = ['java', 'javax', 'com.acme', 'org.apache', 'org.eclipse', 'io.netty', 'com.google', 'scala', 'kotlin', 'net.shop'];
const MID = ['util', 'lang', 'cache', 'http', 'model', 'store', 'index', 'json', 'graph', 'query', 'session', 'event', 'buffer', 'codec', 'crypto', 'sql'];
const ADJ = ['Linked', 'Hash', 'Concurrent', 'Weak', 'Soft', 'Cached', 'Lazy', 'Abstract', 'Default', 'Simple', 'Direct', 'Pooled', 'Immutable', 'Sorted', 'Shared', 'Async'];
const NOUN = ['Map', 'Entry', 'Node', 'List', 'String', 'Buffer', 'Session', 'Request', 'Handler', 'Event', 'Record', 'Token', 'Key', 'Value', 'Page', 'Vertex', 'Edge', 'Cursor', 'Context', 'Builder', 'Visitor', 'Task', 'Future', 'Lock'];
const pick = (a, h) => a[h % a.length];
const pkgName = (d) => `${pick(TOP, hash(2, d, 0))}.${pick(MID, hash(2, d, 1))}.${pick(MID, hash(2, d, 2))}${d}`;
const typeName = (i) => `${pick(ADJ, hash(3, i, 0))}${pick(NOUN, hash(3, i, 1))}${i.toString(36)}`;

// ---- values
// kinds: 68 % steady (±3 % noise), 12 % growing (a sixth of them strongly), 5 % shrinking, 15 % come and go
// a leaf's share is capped (about 1.5 % of the heap) so that no single building hides the city
const base = new Float64Array(N), per = new Int32Array(N);
for (let i = 0; i < N; i++) {
  const r = hash(4, i, 1) % 100;
  per[i] = r < 80 ? 16 + 8 * (hash(4, i, 2) % 9) : 24 + 8 * (hash(4, i, 2) % 130);
  const k = hash(5, i, 0) % 100, cap = 20 * N / per[i] / (k >= 78 && k < 80 ? 4 : 1);
  base[i] = 2 + Math.floor(Math.min(2 * pareto(u01(4, i, 0)), cap));
}
function objectsAt(i, t) {
  const k = hash(5, i, 0) % 100, f = T > 1 ? t / (T - 1) : 0, noise = 0.97 + 0.06 * u01(6, i, t);
  if (k < 68) return Math.max(1, Math.round(base[i] * noise));
  if (k < 78) return Math.max(1, Math.round(base[i] * (1 + 0.8 * u01(5, i, 1) * f) * noise));
  if (k < 80) return Math.max(1, Math.round(base[i] * (1 + (2 + 8 * u01(5, i, 1)) * f)));
  if (k < 85) return Math.max(1, Math.round(base[i] * (1 - 0.9 * u01(5, i, 1) * f) * noise));
  return t === hash(7, i, -1) % T || hash(7, i, t) % 100 < 50 ? Math.max(1, Math.round(base[i] * noise)) : 0;   // not in this step's tree
}

if (o.out) fs.mkdirSync(o.out, { recursive: true });
let fnv = 0xcbf29ce484222325n;
const addToHash = (s) => { for (let i = 0; i < s.length; i++) fnv = ((fnv ^ BigInt(s.charCodeAt(i))) * 0x100000001b3n) & 0xffffffffffffffffn; };
const CL = '"classifiers":[{"name":"Package","id":0},{"name":"Type","id":1}]';
const obj = new Float64Array(N), dO = new Float64Array(D), dB = new Float64Array(D);
let total = 0, time = 400;
for (let t = 0; t < T; t++) {
  time += 600 + hash(8, t, 0) % 900;
  let rO = 0, rB = 0;
  for (let d = 0, i = 0; d < D; d++) {
    dO[d] = dB[d] = 0;
    for (const e = i + dsize[d]; i < e; i++) { obj[i] = objectsAt(i, t); dO[d] += obj[i]; dB[d] += obj[i] * per[i]; }
    rO += dO[d]; rB += dB[d];
  }
  const fd = o.out ? fs.openSync(path.join(o.out, `step_${String(t).padStart(5, '0')}.json`), 'w') : -1;
  let chunk = [], len = 0;
  const put = (s) => { chunk.push(s); len += s.length; if (len > 1 << 20) flush(); };
  const flush = () => {
    if (len === 0) return;
    const text = chunk.join('');
    if (o.out) fs.writeSync(fd, text);
    if (o.hash) addToHash(text);
    total += len; chunk = []; len = 0;
  };
  put(`{${CL},"time":${time},"root":{"key":"Heap","fullKey":["Heap"],"fullKeyAsString":"Heap","classifierId":-1,"bytes":${rB},"objects":${rO},"transitiveClosureSize":-1,"retainedSize":-1,"children":[`);
  let firstD = true;
  for (let d = 0, i = 0; d < D; d++) {
    const e = i + dsize[d];
    if (dO[d] === 0) { i = e; continue; }
    const p = pkgName(d);
    put(`${firstD ? '' : ','}{"key":"${p}","fullKey":["Heap","${p}"],"fullKeyAsString":"Heap#${p}","classifierId":0,"bytes":${dB[d]},"objects":${dO[d]},"transitiveClosureSize":-1,"retainedSize":-1,"children":[`);
    firstD = false;
    let first = true;
    for (; i < e; i++) {
      if (obj[i] === 0) continue;
      const n = typeName(i);
      put(`${first ? '' : ','}{"key":"${n}","fullKey":["Heap","${p}","${n}"],"fullKeyAsString":"Heap#${p}#${n}","classifierId":1,"bytes":${obj[i] * per[i]},"objects":${obj[i]},"transitiveClosureSize":-1,"retainedSize":-1}`);
      first = false;
    }
    put(']}');
  }
  put(']}}\n'); flush(); if (o.out) fs.closeSync(fd);
}
console.log(JSON.stringify({ leaves: N, districts: D, steps: T, seed: S, bytes: total, out: o.out, hash: o.hash ? fnv.toString(16) : undefined }));
