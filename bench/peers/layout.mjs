#!/usr/bin/env node
// Reading and laying out a trace in Node: JSON.parse, the max tree, d3-hierarchy's treemaps.
//   node --max-old-space-size=12000 layout.mjs DIR [--reps R] [--metric bytes|objects]
// Prints one JSON object; times are medians over the reps in milliseconds, with a warm page cache and garbage collected
// between the phases, outside the clock. `first` is the first rep of the process.
import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { makeMaxTree, makeHierarchy, layOut, median, TILINGS } from './lib.mjs';

v8.setFlagsFromString('--expose-gc');
const HERE = path.dirname(fileURLToPath(import.meta.url));
const collect = vm.runInNewContext('gc');
const { values: options, positionals: [dir] } = parseArgs({ allowPositionals: true, options: {
  reps: { type: 'string', default: '5' }, metric: { type: 'string', default: 'bytes' },
} });
if (!dir) { console.error('usage: node layout.mjs DIR [--reps R] [--metric M]'); process.exit(2); }
const files = fs.readdirSync(dir).filter((f) => f.endsWith('.json')).sort().map((f) => path.join(dir, f));

const times = {};
function timed(name, work) {
  const begin = performance.now(), result = work();
  (times[name] ??= []).push(performance.now() - begin);
  return result;
}

let size = 0, counts = {}, peak = 0;
for (let rep = 0; rep < +options.reps; rep++) {
  collect();
  size = 0;
  let trees = [], read = 0, decode = 0, parse = 0;
  for (const f of files) {
    const t0 = performance.now(), bytes = fs.readFileSync(f), t1 = performance.now(), text = bytes.toString('utf8'), t2 = performance.now();
    trees.push(JSON.parse(text));
    size += bytes.length;
    read += t1 - t0; decode += t2 - t1; parse += performance.now() - t2;
  }
  (times.read_ms ??= []).push(read);
  (times.decode_ms ??= []).push(decode);
  (times.parse_ms ??= []).push(parse);
  peak = Math.max(peak, process.memoryUsage().rss);
  trees.sort((a, b) => a.time - b.time);
  const max = timed('max_tree_ms', () => makeMaxTree(trees, options.metric));
  counts = { leaves: max.leaves.length, nodes: max.nodeCount, steps: files.length };
  trees = null;
  collect();
  const h = timed('sum_sort_ms', () => makeHierarchy(max.root));
  for (const tiling of Object.keys(TILINGS)) timed(`${tiling}_ms`, () => layOut(h, tiling, 1, 0, 0));
  peak = Math.max(peak, process.memoryUsage().rss);
}

const round = (x) => Math.round(x * 1000) / 1000;
const out = { peer: 'node', ...counts, input_mb: round(size / 1e6), reps: +options.reps };
for (const name in times) out[name] = { median: round(median(times[name])), min: round(Math.min(...times[name])), first: round(times[name][0]) };
out.import_mb_per_s = round(size / 1e3 / (out.decode_ms.median + out.parse_ms.median));
out.peak_mb = round(peak / 1e6);
out.node = process.version;
out.v8 = process.versions.v8;
out.d3_hierarchy = JSON.parse(fs.readFileSync(path.join(HERE, 'node_modules/d3-hierarchy/package.json'))).version;
console.log(JSON.stringify(out));
