// Heap snapshots of V8 beside memlab: what each says of a series, in what time, and whether sizes and retained sizes are the
// same, object by object. memlab is no dependency: `npm install --ignore-scripts --no-save memlab@2.0.5` in this folder first.
//
//   node memlab.mjs MEMCITY FIRST.heapsnapshot TARGET.heapsnapshot LAST.heapsnapshot
//   node --max-old-space-size=16000 memlab.mjs MEMCITY LARGE.heapsnapshot
//
// One snapshot is opened only: memlab to its nodes and retained sizes, memcity by `info`. Of three, retained sizes of a few objects
// differ: memlab takes handles for roots of what others reach, too.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const [memcity, ...files] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const now = () => performance.now() / 1000;
const say = (what, seconds) => console.log(`${what}  ${seconds.toFixed(2)} s`);

function run(program, ...args) { // what it writes, its progress at the end
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${stderr}`);
  return stdout + (program === memcity ? '' : stderr);
}

function timed(what, ...command) {
  const begin = now(), out = run(...command);
  say(what, now() - begin);
  return out;
}

async function openByMemlab(file) {
  const { getFullHeapFromFile } = require('@memlab/heap-analysis');
  const { stdout, stderr } = process, writes = [stdout.write, stderr.write];
  stdout.write = stderr.write = () => true; // its progress
  const begin = now(), heap = await getFullHeapFromFile(file);
  [stdout.write, stderr.write] = writes;
  say('memlab, opened', now() - begin);
  console.log(`memlab, memory  ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
  return heap;
}

function compare(heap, file) {
  const rows = run(memcity, 'objects', file, '--columns', 'address,bytes,retained').trim().split('\n').slice(1);
  const known = new Map(rows.map((row) => [row.slice(0, row.indexOf('\t')), row.slice(row.indexOf('\t') + 1).split('\t')]));
  let missing = 0, sizes = 0, retained = 0;
  heap.nodes.forEach((node) => {
    const told = known.get(String(node.id));
    if (!told) missing += node.type === 'synthetic' ? 0 : 1;
    else {
      sizes += Number(told[0]) !== node.self_size;
      retained += Number(told[1]) !== node.retainedSize;
    }
  });
  console.log(`${known.size} objects: ${missing} only memlab has, ${sizes} with other sizes, ${retained} with other retained sizes`);
}

if (files.length === 3) {
  const why = timed('memcity why', memcity, 'why', ...files);
  const leaks = timed('memlab find-leaks', process.execPath, require.resolve('memlab/bin/memlab'), 'find-leaks', '--baseline', files[0],
    '--target', files[1], '--final', files[2]);
  console.log(`memcity  ${why.split('\n')[0]}`);
  console.log(`memlab   ${leaks.match(/MemLab found .*|No leaks found/g)?.join('; ') ?? 'nothing'}`);
  compare(await openByMemlab(files[2]), files[2]);
} else {
  timed('memcity info', memcity, 'info', files[0]);
  await openByMemlab(files[0]);
}
