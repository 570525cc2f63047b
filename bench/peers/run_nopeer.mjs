#!/usr/bin/env node
// memcity and its peers on the same generated traces, one after the other, in one run.
//   node run.mjs --memcity PATH [--beside PATH --beside-name TEXT] [--set quick|full] [--commit TEXT] [--data DIR] [--results DIR]
//                [--wait S] [--tries N]
// --beside: another version of memcity, measured in turns with the first; what it does not know yet stays empty.
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
  memcity: { type: 'string' }, beside: { type: 'string' }, 'beside-name': { type: 'string', default: 'beside' }, set: { type: 'string', default: 'full' }, commit: { type: 'string', default: 'unknown' },
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
  'import 300000': { value: 2.5, ratio: 7 }, 'import 1000000': { value: 2 }, 'import to .mct 300000': { value: 1.5 },
  'city from a trace in memory 300000': { value: 30 }, 'city from a trace in memory 1000000': { value: 100 },
  'squarify 300000': { value: 15, ratio: 20 }, 'squarify 1000000': { value: 60, ratio: 20 },
  'orbit, opaque 300000 1280x720': { value: 16.7, ratio: 15 }, 'orbit, opaque 300000 1920x1080': { value: 35, ratio: 12 },
  'orbit, opaque 1000000 1280x720': { value: 25 },
  'orbit, as in the window 1000 1280x720': { value: 9 }, 'orbit, as in the window 10000 1280x720': { value: 16.7 },
  'orbit, as in the window 300000 1280x720': { value: 40 }, 'orbit, as in the window 300000 1920x1080': { value: 85 },
  'orbit, as in the window 1000000 1280x720': { value: 65 },
  'step to step 300000 1280x720': { value: 22, ratio: 15 }, 'step to step, as in the window 300000 1280x720': { value: 50 },
  'first picture of an .mct 300000 x 300': { value: 1000 }, 'program, from start to a PNG of it 300000 x 300': { value: 1000 },
  'memory, open and playing 300000 x 300': { value: 600 },
  'window that plays it, longest frame / median 300000 x 300': { value: 2 },
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
function runOnce(command, env, limit_s, stderr) {
  return new Promise((done) => {
    const child = spawn('python3', [path.join(HERE, 'watch.py'), String(limit_s), ...command], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', stderr] });
    let text = '';
    child.stdout.on('data', (d) => { text += d; });
    child.on('close', () => {
      const objects = text.split('\n').filter((l) => l.startsWith('{')).map((l) => JSON.parse(l)), watched = objects.pop() ?? {};
      for (const object of objects) object.others_cores ??= watched.others_cores;
      done({ objects, others: watched.others_cores ?? Infinity });
    });
  });
}
async function run(command, env, limit_s, { isKept = true, version = versions[0] } = {}) {
  let kept = null;
  for (let i = 0; isKept ? i < +o.tries : i === 0; i++) {
    if (isKept) await waitUntilQuiet();
    const tried = await runOnce(command, env, limit_s, version.isBeside ? 'ignore' : 'inherit');
    if (!kept || tried.others < kept.others) kept = tried;
    if (kept.others < QUIET_CORES) break;
  }
  if (version.isBeside) for (const object of kept.objects) object.version = version.name;
  if (isKept) lines.push(...kept.objects);
  return kept.objects;
}
// What is measured of a version of ours, for one after the other.
const versions = [{ program: o.memcity, name: o.commit }];
if (o.beside) versions.push({ program: o.beside, name: o['beside-name'], isBeside: true });
async function ofEach(measure) {
  const all = [];
  for (const version of versions) all.push(await measure(version));
  return all;
}
// args: of all versions, or what gives them for one.
const memcity = (subject, args, env = cpuDriver) => ofEach((version) =>
  run([version.program, 'bench', subject, '--json', '--commit', version.name, ...(typeof args === 'function' ? args(version) : args)], env, 600, { version }));
const peer = async () => [];

const NAME_WIDTH = 58;
const number = (x) => (x === undefined ? '–' : x >= 100 ? x.toFixed(0) : x.toPrecision(3));
function writeRow({ what, unit, memcity, beside, gain, peer, ratio, target, target_ratio, peer_name, is_missed }) {
  const times = (x) => (x ? number(x) + ' ×' : '');
  return [what.padEnd(NAME_WIDTH), number(memcity).padStart(8), unit.padEnd(4),
    ...(o.beside ? [number(beside).padStart(8), times(gain).padStart(8)] : []),
    number(peer).padStart(8), times(ratio).padStart(8), (target ? `target ${target}` : '').padEnd(11),
    (target_ratio ? `${target_ratio} ×` : '').padEnd(5), (is_missed ? 'missed' : '').padEnd(6), peer_name ?? ''].join(' ').trimEnd();
}

// our: of each version.
function addRow(what, unit, our, their, theirName) {
  const { value: target, ratio: target_ratio } = TARGETS[what] ?? {}, higherIsBetter = unit === 'GB/s';
  const compare = (x, y) => (x && y ? (higherIsBetter ? x / y : y / x) : undefined);
  const row = { what, unit, memcity: our[0], beside: our[1], gain: compare(our[0], our[1]), peer: their, peer_name: theirName,
    ratio: compare(our[0], their), target, target_ratio };
  row.is_missed = (target && !(compare(row.memcity, target) >= 1)) || (target_ratio && !(row.ratio >= target_ratio)) || undefined;
  rows.push(row);
  console.log(writeRow(row));
}
// A number of a case, of each version.
const get = (outputs, name, key) => outputs.map((objects) => key(objects.find((x) => x.case === name) ?? {}));
const getMedian = (outputs, name, series) => get(outputs, name, (x) => x[series]?.median);
// The faster of the peer's configurations.
function best(results, key, name = (r) => `three.js ${r.mode}, ${r.angle === 'gl-egl' ? 'Mesa' : 'SwiftShader'}`) {
  const fine = results.filter((r) => r[key] > 0).sort((a, b) => a[key] - b[key]);
  return fine.length ? [fine[0][key], name(fine[0])] : [];
}

// Beside the opaque one and the one as in the window, which have peers. Half: while the camera moves.
const ORBITS = ['orbit, opaque, edges', 'orbit, 20 % translucent', 'orbit, all translucent', 'orbit, opaque, edges, half', 'orbit, as in the window, half'];

// Cities as most heaps have them.
async function measureSmall(trace) {
  for (const leaves of trace.small ?? []) {
    const size = trace.sizes[0], render = await memcity('render', ['--leaves', String(leaves), '--steps', String(trace.steps), '--size', size]);
    addRow(`orbit, as in the window ${leaves} ${size}`, 'ms', getMedian(render, 'orbit, as in the window', 'frame_ms'));
  }
}

async function measureSize(trace, size, dir) {
  const generated = ['--leaves', String(trace.leaves), '--steps', String(trace.steps), '--size', size];
  const render = await memcity('render', generated), play = await memcity('play', generated), their = [];
  for (const angle of ANGLES) for (const mode of MODES)
    their.push(...await peer([path.join(HERE, 'render.mjs'), dir, '--mode', mode, '--angle', angle, '--size', size, '--timeout', '280'], 300));
  for (const r of their.filter((x) => x.error)) console.log(`three.js ${r.mode}, ${r.angle}, ${trace.leaves} at ${size}: ${r.error}`);
  const at = `${trace.leaves} ${size}`;
  addRow(`first picture of a read trace ${at}`, 'ms', getMedian(render, 'first picture', 'total_ms'), ...best(their, 'first_picture_ms'));
  addRow(`orbit, opaque ${at}`, 'ms', getMedian(render, 'orbit, opaque', 'frame_ms'), ...best(their, 'frame_ms'));
  addRow(`orbit, as in the window ${at}`, 'ms', getMedian(render, 'orbit, as in the window', 'frame_ms'), ...best(their, 'as_window_frame_ms'));
  for (const name of ORBITS) addRow(`${name} ${at}`, 'ms', getMedian(render, name, 'frame_ms'));
  addRow(`step to step ${at}`, 'ms', getMedian(play, 'step to step', 'step_ms'), ...best(their, 'step_ms'));
  addRow(`step to step, as in the window ${at}`, 'ms', getMedian(play, 'step to step, as in the window', 'step_ms'), ...best(their, 'as_window_step_ms'));
  return best(their, 'pick_ms');
}

// The same heap as a sunburst and as an icicle.
async function measureTree(trace, dir) {
  const size = trace.sizes[0], at = `${trace.leaves} ${size}`;
  const tree = await memcity('tree', ['--leaves', String(trace.leaves), '--steps', String(trace.steps), '--size', size]);
  const name = (r) => `d3.partition + canvas, ${r.angle === 'gl-egl' ? 'Mesa' : 'software'}`;
  addRow(`order of a tree ${trace.leaves}`, 'ms', getMedian(tree, 'order', 'cpu_ms'));
  for (const mode of ['sunburst', 'icicle']) {
    const their = [], our = (what) => getMedian(tree, `${mode}, ${what}`, 'frame_ms');
    for (const angle of ANGLES)
      their.push(...await peer([path.join(HERE, 'render.mjs'), dir, '--mode', mode, '--angle', angle, '--size', size, '--timeout', '280'], 300));
    for (const r of their.filter((x) => x.error)) console.log(`d3 and canvas, ${r.mode}, ${r.angle}, ${trace.leaves} at ${size}: ${r.error}`);
    addRow(`${mode}, hover ${at}`, 'ms', our('hover'));
    addRow(`${mode}, frame ${at}`, 'ms', our('frame'), ...best(their, 'frame_ms', name));
    addRow(`${mode}, step to step ${at}`, 'ms', our('step to step'), ...best(their, 'step_ms', name));
    addRow(`${mode}, into a branch ${at}`, 'ms', our('into a branch'));
  }
}

// A display that nobody sees; undefined if there is none to be had.
function startDisplay(size) {
  return new Promise((done) => {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${size}x24`, '-noreset', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    server.on('error', () => done(undefined));
    server.on('exit', () => done(undefined));
    server.stdio[3].once('data', (text) => done({ name: `:${String(text).trim()}`, stop: () => server.kill() }));
  });
}

// The window plays all steps as it opens, ten a second.
const PLAYING = 'wait idle\nstep.first\nset step_duration 0.1\nwait idle\nplay\nwait stopped\nprint frame_times\nquit\n';
async function measureWindow(size, dir, at) {
  const script = path.join(dir, 'play.txt'), display = await startDisplay(size);
  if (!display) { console.log('no window: Xvfb does not start'); return; }
  fs.writeFileSync(script, PLAYING);
  const env = { ...cpuDriver, DISPLAY: display.name, WAYLAND_DISPLAY: '', XDG_CONFIG_HOME: dir, XDG_DATA_HOME: dir };
  const times = await ofEach(async (version) => {
    const [printed] = await run([version.program, version.file, '--size', size, '--script', script], env, 300, { version });
    return printed?.frames ? printed : {};
  });
  display.stop();
  addRow(`window that plays it, a frame ${at}`, 'ms', times.map((x) => x.median_ms));
  addRow(`window that plays it, longest frame / median ${at}`, '×', times.map((x) => x.longest_ms && x.longest_ms / x.median_ms));
}

async function measureProgram(version, step, size, dir) {
  const walls = [];
  await waitUntilQuiet();
  for (let i = 0; i < 5; i++) {
    const begin = performance.now();
    const { status } = spawnSync(version.program, ['render', version.file, '--step', String(step), '--size', size, '-o', path.join(dir, 'first.png')],
      { env: { ...process.env, ...cpuDriver }, stdio: version.isBeside ? 'ignore' : 'inherit' });
    if (status !== 0) return undefined;
    walls.push(performance.now() - begin);
  }
  const wall = walls.sort((a, b) => a - b)[2];
  lines.push({ bench: 'program', case: 'from its start to a PNG file', version: version.isBeside ? version.name : undefined, wall_ms: wall });
  return wall;
}

// A long trace in an .mct file: opened, shown and played; and the program's whole run from its start to a PNG file.
async function measureLong(trace, dir) {
  const size = trace.sizes[0], at = `${trace.leaves} x ${trace.longSteps}`;
  for (const version of versions) {
    // another version makes a file of its own only where it can't read ours
    const canRead = version.isBeside && spawnSync(version.program, ['info', versions[0].file], { stdio: 'ignore' }).status === 0;
    version.file = canRead ? versions[0].file : path.join(dir, version.isBeside ? 'beside.mct' : 'long.mct');
    if (canRead) continue;
    await run([version.program, 'bench', 'generate', '--leaves', String(trace.leaves), '--steps', String(trace.longSteps), '--mct', version.file], {}, 600,
      { isKept: false, version });
  }
  const render = await memcity('render', (version) => [version.file, '--size', size, '--runs', '3']);
  const play = await memcity('play', (version) => [version.file, '--size', size]);
  const wall = await ofEach((version) => measureProgram(version, trace.longSteps >> 1, size, dir));
  addRow(`first picture of an .mct ${at}`, 'ms', getMedian(render, 'first picture', 'total_ms'));
  addRow(`program, from start to a PNG of it ${at}`, 'ms', wall);
  addRow(`step to step of it ${at}`, 'ms', getMedian(play, 'step to step', 'step_ms'));
  addRow(`step to step of it, as in the window ${at}`, 'ms', getMedian(play, 'step to step, as in the window', 'step_ms'));
  addRow(`memory, open and playing ${at}`, 'MB', get(play, 'step to step', (x) => x.resident_mb));
  await measureWindow(size, dir, at);
}

async function measureTrace(trace) {
  const dir = fs.mkdtempSync(path.join(o.data, 'memcity-bench-'));
  const generated = ['--leaves', String(trace.leaves), '--steps', String(trace.steps)];
  try {
    await run([o.memcity, 'bench', 'generate', ...generated, '--dir', dir], {}, 600, { isKept: false });
    const importing = await memcity('import', [dir, '--dir', o.data]), layout = await memcity('layout', generated);
    await memcity('update', generated);
    const [node] = await peer([path.join(HERE, 'layout.mjs'), dir, '--reps', trace.leaves > 500000 ? '3' : '5'], 600);
    const getSpeed = (name) => get(importing, name, (x) => x.speed_gb_per_s);
    addRow(`import ${trace.leaves}`, 'GB/s', getSpeed('files to trace'), node && node.import_mb_per_s / 1e3, 'Node, decode + JSON.parse');
    addRow(`import to .mct ${trace.leaves}`, 'GB/s', getSpeed('files to .mct'));
    addRow(`open .mct ${trace.leaves}`, 'ms', getMedian(importing, 'open .mct', 'open_ms'));
    addRow(`city from a trace in memory ${trace.leaves}`, 'ms', getMedian(layout, 'city', 'create_ms'));
    for (const tiling of ['squarify', 'binary', 'slice', 'dice', 'slice-dice'])
      addRow(`${tiling} ${trace.leaves}`, 'ms', getMedian(layout, tiling, 'layout_ms'),
        node && node.sum_sort_ms.median + node[`${tiling}_ms`].median, 'd3, sum + sort + treemap');
    let pick = [];
    await measureSmall(trace);
    for (const size of trace.sizes) pick = await measureSize(trace, size, dir);
    await measureTree(trace, dir);
    if (trace.longSteps) await measureLong(trace, dir);
    addRow(`pick ${trace.leaves}`, 'ms', getMedian(layout, 'pick', 'pick_ms'), ...pick);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

// On a GPU, if the machine has one.
async function measureGpu() {
  const [found] = await run([o.memcity, 'bench', 'update', '--json', '--leaves', '10', '--runs', '1'], {}, 60, { isKept: false });
  if (!found?.device || found.device.startsWith('llvmpipe')) return;
  const args = ['--leaves', String(GPU.leaves), '--steps', String(GPU.steps), '--size', GPU.size], at = `${GPU.leaves} ${GPU.size}, GPU`;
  const update = await memcity('update', args, {}), render = await memcity('render', args, {}), play = await memcity('play', args, {});
  console.log(`\non ${found.device}:`);
  for (const name of ['orbit, opaque', 'orbit, as in the window', ...ORBITS]) addRow(`${name} ${at}`, 'ms', getMedian(render, name, 'frame_ms'));
  for (const name of ['step to step', 'step to step, as in the window']) addRow(`${name} ${at}`, 'ms', getMedian(play, name, 'step_ms'));
  const getSpeed = (name) => get(update, name, (x) => x.speed_gb_per_s);
  addRow(`update pass ${at}`, 'GB/s', getSpeed('update pass'), getSpeed('copy on the device')[0], 'a copy on the device');
}

function writeResults() {
  const machine = lines.find((x) => x.bench === 'machine' && x.device) ?? {}, three = lines.find((x) => x.gl && x.angle === 'swiftshader') ?? {};
  const node = lines.find((x) => x.peer === 'node') ?? {}, mesa = lines.find((x) => x.gl && x.angle === 'gl-egl') ?? {};
  const head = {
    date: new Date().toISOString(), set: o.set, commit: o.commit, beside: o.beside && o['beside-name'], cpu: machine.cpu, cores: machine.cores, memory_bytes: machine.memory_bytes,
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

console.log(['what'.padEnd(NAME_WIDTH), 'memcity'.padStart(8), '    ', ...(o.beside ? [o['beside-name'].slice(0, 8).padStart(8), 'gain'.padStart(8)] : []),
  'peer'.padStart(8), 'ratio'.padStart(8)].join(' '));
for (const trace of SETS[o.set]) await measureTrace(trace);
await measureGpu();
writeResults();
