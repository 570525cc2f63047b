#!/usr/bin/env node
// memcity and its peers on the same generated traces, one after the other, in one run.
//   node run.mjs --memcity PATH [--set quick|full] [--commit TEXT] [--data DIR] [--results DIR] [--wait S] [--tries N]
// --wait: before each measurement, at most so long until other programs are quiet; --tries: a disturbed one is made again,
// and the least disturbed counts.
// Prints what is measured as it comes, then the ratios; writes all of it to RESULTS/DATE-SET-COMMIT.json.
// memcity runs on Mesa's CPU driver beside the peers; where there is a GPU, once more on it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const { values: o } = parseArgs({ options: {
  memcity: { type: 'string' }, set: { type: 'string', default: 'full' }, commit: { type: 'string', default: 'unknown' },
  data: { type: 'string', default: os.tmpdir() }, results: { type: 'string', default: path.join(HERE, '..', 'results') },
  wait: { type: 'string', default: '20' }, tries: { type: 'string', default: '2' },
} });
const SETS = {
  tiny: [{ leaves: 1000, steps: 5, sizes: ['320x180'], longSteps: 10, small: [100] }],   // does everything run?
  quick: [{ leaves: 100000, steps: 5, sizes: ['1280x720'] }],
  full: [{ leaves: 300000, steps: 5, sizes: ['1280x720', '1920x1080'], longSteps: 300, small: [1000, 10000] }, { leaves: 1000000, steps: 3, sizes: ['1280x720'] }],
};
const GPU = { leaves: 1000000, steps: 5, size: '3840x2160' };
const MODES = ['instanced', 'merged'], ANGLES = ['gl-egl', 'swiftshader'];
if (!o.memcity || !SETS[o.set]) { console.error('usage: node run.mjs --memcity PATH [--set quick|full], see the top of this file'); process.exit(2); }

// What the project aims at on two cores, in the row's unit; `ratio` is to the peer beside it.
const TARGETS = {
  'import 300000': { value: 1, ratio: 7 },
  'squarify 300000': { value: 15, ratio: 20 }, 'squarify 1000000': { value: 60, ratio: 20 },
  'orbit, opaque 300000 1280x720': { value: 16.7, ratio: 15 }, 'orbit, opaque 300000 1920x1080': { value: 35, ratio: 12 },
  'orbit, opaque 1000000 1280x720': { value: 25 },
  'orbit, as in the window 1000 1280x720': { value: 9 }, 'orbit, as in the window 10000 1280x720': { value: 16.7 },
  'orbit, as in the window 300000 1280x720': { value: 40 }, 'orbit, as in the window 300000 1920x1080': { value: 85 },
  'orbit, as in the window 1000000 1280x720': { value: 65 },
  'step to step 300000 1280x720': { value: 22, ratio: 15 }, 'step to step, as in the window 300000 1280x720': { value: 50 },
  'first picture of an .mct 300000 x 300': { value: 1000 }, 'program, from start to a PNG of it 300000 x 300': { value: 1000 },
  'memory, open and playing 300000 x 300': { value: 600 },
  'sunburst, frame 300000 1280x720': { value: 12, ratio: 60 }, 'sunburst, step to step 300000 1280x720': { value: 22, ratio: 50 },
  'icicle, frame 300000 1280x720': { value: 10, ratio: 30 }, 'icicle, step to step 300000 1280x720': { value: 22, ratio: 25 },
  'sunburst, hover 300000 1280x720': { value: 12 }, 'icicle, hover 300000 1280x720': { value: 10 },
  'sunburst, into a branch 300000 1280x720': { value: 30 }, 'icicle, into a branch 300000 1280x720': { value: 30 },
  'sunburst, frame 1000000 1280x720': { value: 14 }, 'sunburst, step to step 1000000 1280x720': { value: 40 },
  'icicle, frame 1000000 1280x720': { value: 14 }, 'icicle, step to step 1000000 1280x720': { value: 40 },
  'orbit, 20 % translucent 300000 1280x720': { value: 60 }, 'orbit, all translucent 300000 1280x720': { value: 150 },
};

const driver = fs.existsSync('/usr/share/vulkan/icd.d') && fs.readdirSync('/usr/share/vulkan/icd.d').find((f) => f.startsWith('lvp_icd'));
const cpuDriver = driver ? { VK_DRIVER_FILES: `/usr/share/vulkan/icd.d/${driver}`, VK_ICD_FILENAMES: `/usr/share/vulkan/icd.d/${driver}` } : {};
const lines = [], rows = [];

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const getBusy_s = () => fs.readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).reduce((sum, x, i) => sum + ([1, 2, 3, 6, 7].includes(i) ? +x : 0), 0) / 100;
const QUIET_CORES = 0.3;
async function waitUntilQuiet() {
  for (let i = 0; i < +o.wait / 2; i++) {
    const begin = getBusy_s();
    await sleep(2000);
    if ((getBusy_s() - begin) / 2 < QUIET_CORES) return;
  }
}

// Runs a program under watch.py; returns the JSON objects that it printed, each with what the rest of the machine did.
function runOnce(command, env, limit_s) {
  return new Promise((done) => {
    const child = spawn('python3', [path.join(HERE, 'watch.py'), String(limit_s), ...command], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (d) => { text += d; });
    child.on('close', () => {
      const objects = text.split('\n').filter((l) => l.startsWith('{')).map((l) => JSON.parse(l)), watched = objects.pop() ?? {};
      for (const object of objects) object.others_cores ??= watched.others_cores;
      done({ objects, others: watched.others_cores ?? Infinity });
    });
  });
}
async function run(command, env, limit_s, isKept = true) {
  let kept = null;
  for (let i = 0; isKept ? i < +o.tries : i === 0; i++) {
    if (isKept) await waitUntilQuiet();
    const tried = await runOnce(command, env, limit_s);
    if (!kept || tried.others < kept.others) kept = tried;
    if (kept.others < QUIET_CORES) break;
  }
  if (isKept) lines.push(...kept.objects);
  return kept.objects;
}
const memcity = (subject, args, env = cpuDriver) => run([o.memcity, 'bench', subject, '--json', '--commit', o.commit, ...args], env, 600);
const peer = (args, limit_s) => run(['node', '--max-old-space-size=12000', ...args], {}, limit_s);

function addRow(what, unit, our, their, theirName) {
  const target = TARGETS[what] ?? {}, higherIsBetter = unit === 'GB/s';
  const ratio = our && their ? (higherIsBetter ? our / their : their / our) : undefined;
  rows.push({ what, unit, memcity: our, peer: their, peer_name: theirName, ratio, target: target.value, target_ratio: target.ratio });
  const number = (x) => (x === undefined ? '–' : x >= 100 ? x.toFixed(0) : x.toPrecision(3));
  console.log([what.padEnd(48), number(our).padStart(8), unit.padEnd(4), number(their).padStart(8), (ratio ? number(ratio) + ' ×' : '').padStart(8),
    (target.value ? `target ${target.value}` : '').padEnd(11), (target.ratio ? `${target.ratio} ×` : '').padEnd(5), theirName ?? ''].join(' '));
}
const find = (objects, name) => objects.find((x) => x.case === name) ?? {};
// The faster of the peer's configurations.
function best(results, key, name = (r) => `three.js ${r.mode}, ${r.angle === 'gl-egl' ? 'Mesa' : 'SwiftShader'}`) {
  const fine = results.filter((r) => r[key] > 0).sort((a, b) => a[key] - b[key]);
  return fine.length ? [fine[0][key], name(fine[0])] : [];
}

// Beside the opaque one, which has peers.
const ORBITS = ['orbit, opaque, edges', 'orbit, 20 % translucent', 'orbit, all translucent', 'orbit, as in the window'];

// Cities as most heaps have them.
async function measureSmall(trace) {
  for (const leaves of trace.small ?? []) {
    const size = trace.sizes[0], render = await memcity('render', ['--leaves', String(leaves), '--steps', String(trace.steps), '--size', size]);
    addRow(`orbit, as in the window ${leaves} ${size}`, 'ms', find(render, 'orbit, as in the window').frame_ms?.median);
  }
}

async function measureSize(trace, size, dir) {
  const generated = ['--leaves', String(trace.leaves), '--steps', String(trace.steps), '--size', size];
  const render = await memcity('render', generated), play = await memcity('play', generated), their = [];
  for (const angle of ANGLES) for (const mode of MODES)
    their.push(...await peer([path.join(HERE, 'render.mjs'), dir, '--mode', mode, '--angle', angle, '--size', size, '--timeout', '280'], 300));
  for (const r of their.filter((x) => x.error)) console.log(`three.js ${r.mode}, ${r.angle}, ${trace.leaves} at ${size}: ${r.error}`);
  const at = `${trace.leaves} ${size}`, first = find(render, 'first picture');
  addRow(`first picture of a read trace ${at}`, 'ms', first.total_ms?.median, ...best(their, 'first_picture_ms'));
  addRow(`orbit, opaque ${at}`, 'ms', find(render, 'orbit, opaque').frame_ms?.median, ...best(their, 'frame_ms'));
  for (const name of ORBITS) addRow(`${name} ${at}`, 'ms', find(render, name).frame_ms?.median);
  addRow(`step to step ${at}`, 'ms', find(play, 'step to step').step_ms?.median, ...best(their, 'step_ms'));
  addRow(`step to step, as in the window ${at}`, 'ms', find(play, 'step to step, as in the window').step_ms?.median);
  return best(their, 'pick_ms');
}

// The same heap as a sunburst and as an icicle.
async function measureTree(trace, dir) {
  const size = trace.sizes[0], at = `${trace.leaves} ${size}`;
  const tree = await memcity('tree', ['--leaves', String(trace.leaves), '--steps', String(trace.steps), '--size', size]);
  const name = (r) => `d3.partition + canvas, ${r.angle === 'gl-egl' ? 'Mesa' : 'software'}`;
  addRow(`order of a tree ${trace.leaves}`, 'ms', find(tree, 'order').cpu_ms?.median);
  for (const mode of ['sunburst', 'icicle']) {
    const their = [], our = (what) => find(tree, `${mode}, ${what}`).frame_ms?.median;
    for (const angle of ANGLES)
      their.push(...await peer([path.join(HERE, 'render.mjs'), dir, '--mode', mode, '--angle', angle, '--size', size, '--timeout', '280'], 300));
    for (const r of their.filter((x) => x.error)) console.log(`d3 and canvas, ${r.mode}, ${r.angle}, ${trace.leaves} at ${size}: ${r.error}`);
    addRow(`${mode}, hover ${at}`, 'ms', our('hover'));
    addRow(`${mode}, frame ${at}`, 'ms', our('frame'), ...best(their, 'frame_ms', name));
    addRow(`${mode}, step to step ${at}`, 'ms', our('step to step'), ...best(their, 'step_ms', name));
    addRow(`${mode}, into a branch ${at}`, 'ms', our('into a branch'));
  }
}

// A long trace in an .mct file: opened, shown and played; and the program's whole run from its start to a PNG file.
async function measureLong(trace, dir) {
  const file = path.join(dir, 'long.mct'), size = trace.sizes[0], at = `${trace.leaves} x ${trace.longSteps}`;
  await run([o.memcity, 'bench', 'generate', '--leaves', String(trace.leaves), '--steps', String(trace.longSteps), '--mct', file], {}, 600, false);
  const render = await memcity('render', [file, '--size', size, '--runs', '3']), play = await memcity('play', [file, '--size', size]);
  const walls = [];
  await waitUntilQuiet();
  for (let i = 0; i < 5; i++) {
    const begin = performance.now();
    spawnSync(o.memcity, ['render', file, '--step', String(trace.longSteps >> 1), '--size', size, '-o', path.join(dir, 'first.png')],
      { env: { ...process.env, ...cpuDriver }, stdio: 'inherit' });
    walls.push(performance.now() - begin);
  }
  const wall = walls.sort((a, b) => a - b)[2];
  lines.push({ bench: 'program', case: 'from its start to a PNG file', leaves: trace.leaves, steps: trace.longSteps, wall_ms: wall });
  addRow(`first picture of an .mct ${at}`, 'ms', find(render, 'first picture').total_ms?.median);
  addRow(`program, from start to a PNG of it ${at}`, 'ms', wall);
  addRow(`step to step of it ${at}`, 'ms', find(play, 'step to step').step_ms?.median);
  addRow(`memory, open and playing ${at}`, 'MB', find(play, 'step to step').resident_mb);
}

async function measureTrace(trace) {
  const dir = fs.mkdtempSync(path.join(o.data, 'memcity-bench-'));
  const generated = ['--leaves', String(trace.leaves), '--steps', String(trace.steps)];
  try {
    await run([o.memcity, 'bench', 'generate', ...generated, '--dir', dir], {}, 600, false);
    const importing = await memcity('import', [dir, '--dir', o.data]), layout = await memcity('layout', generated);
    const imported = find(importing, 'files to trace');
    await memcity('update', generated);
    const [node] = await peer([path.join(HERE, 'layout.mjs'), dir, '--reps', trace.leaves > 500000 ? '3' : '5'], 600);
    const converted = find(importing, 'files to .mct'), opened = find(importing, 'open .mct');
    addRow(`import ${trace.leaves}`, 'GB/s', imported.speed_gb_per_s, node && node.import_mb_per_s / 1e3, 'Node, decode + JSON.parse');
    addRow(`import to .mct ${trace.leaves}`, 'GB/s', converted.speed_gb_per_s);
    addRow(`open .mct ${trace.leaves}`, 'ms', opened.open_ms?.median);
    for (const tiling of ['squarify', 'binary', 'slice', 'dice', 'slice-dice'])
      addRow(`${tiling} ${trace.leaves}`, 'ms', find(layout, tiling).layout_ms?.median,
        node && node.sum_sort_ms.median + node[`${tiling}_ms`].median, 'd3, sum + sort + treemap');
    let pick = [];
    await measureSmall(trace);
    for (const size of trace.sizes) pick = await measureSize(trace, size, dir);
    await measureTree(trace, dir);
    if (trace.longSteps) await measureLong(trace, dir);
    addRow(`pick ${trace.leaves}`, 'ms', find(layout, 'pick').pick_ms?.median, ...pick);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

// On a GPU, if the machine has one.
async function measureGpu() {
  const [found] = await run([o.memcity, 'bench', 'update', '--json', '--leaves', '10', '--runs', '1'], {}, 60, false);
  if (!found?.device || found.device.startsWith('llvmpipe')) return;
  const args = ['--leaves', String(GPU.leaves), '--steps', String(GPU.steps), '--size', GPU.size], at = `${GPU.leaves} ${GPU.size}, GPU`;
  const update = await memcity('update', args, {}), render = await memcity('render', args, {}), play = await memcity('play', args, {});
  console.log(`\non ${found.device}:`);
  for (const name of ['orbit, opaque', ...ORBITS]) addRow(`${name} ${at}`, 'ms', find(render, name).frame_ms?.median);
  addRow(`step to step ${at}`, 'ms', find(play, 'step to step').step_ms?.median);
  addRow(`update pass ${at}`, 'GB/s', find(update, 'update pass').speed_gb_per_s, find(update, 'copy on the device').speed_gb_per_s, 'a copy on the device');
}

function writeResults() {
  const machine = lines.find((x) => x.bench === 'machine' && x.device) ?? {}, three = lines.find((x) => x.gl && x.angle === 'swiftshader') ?? {};
  const node = lines.find((x) => x.peer === 'node') ?? {}, mesa = lines.find((x) => x.gl && x.angle === 'gl-egl') ?? {};
  const head = {
    date: new Date().toISOString(), set: o.set, commit: o.commit, cpu: machine.cpu, cores: machine.cores, memory_bytes: machine.memory_bytes,
    kernel: machine.kernel, compiler: machine.compiler, device: machine.device, driver: machine.driver, node: node.node, d3_hierarchy: node.d3_hierarchy,
    chromium: three.chromium ?? mesa.chromium, three: three.three ?? mesa.three, swiftshader: three.gl, mesa: mesa.gl,
    others_cores: Math.max(0, ...lines.map((x) => x.others_cores ?? 0)),
  };
  const list = (objects) => '[\n' + objects.map((x) => '    ' + JSON.stringify(x)).join(',\n') + '\n  ]';
  const repeated = new Set(['cpu', 'cores', 'memory_bytes', 'kernel', 'compiler', 'device', 'driver', 'version', 'commit', 'chromium', 'three', 'gl', 'v8', 'node', 'd3_hierarchy']);
  const short = lines.filter((x) => x.bench !== 'machine').map((x) => Object.fromEntries(Object.entries(x).filter(([k]) => !repeated.has(k))));
  const round = (x) => Object.fromEntries(Object.entries(x).map(([k, v]) => [k, typeof v === 'number' ? +v.toPrecision(4) : v]));
  fs.mkdirSync(o.results, { recursive: true });
  const file = path.join(o.results, `${head.date.slice(0, 10)}-${o.set}-${o.commit.replace(/[^\w.-]/g, '_')}.json`);
  fs.writeFileSync(file, `{\n  "run": ${JSON.stringify(head)},\n  "table": ${list(rows.map(round))},\n  "measurements": ${list(short)}\n}\n`);
  console.log(`\n${head.cpu}, ${head.cores} cores; ${head.driver}; Node ${head.node}, d3-hierarchy ${head.d3_hierarchy}; Chromium ${head.chromium}, three.js r${head.three}`);
  if (head.others_cores > 0.1) console.log(`other programs used up to ${head.others_cores.toFixed(1)} cores meanwhile: run again on a quiet machine`);
  console.log(`all numbers: ${path.relative(process.cwd(), file)}`);
}

console.log(['what'.padEnd(48), 'memcity'.padStart(8), '    ', 'peer'.padStart(8), 'ratio'.padStart(8)].join(' '));
for (const trace of SETS[o.set]) await measureTrace(trace);
await measureGpu();
writeResults();
