#!/usr/bin/env node
// A page of `memcity page`, and beside it the same data drawn by three.js, in headless Chromium, in turns: how large each is,
// how long until it is there, and how long a picture of all buildings takes.
//   node city_page.mjs PAGE.html [--angle swiftshader|gl-egl] [--size 1280x720] [--frames 6] [--rounds 3] [--shot FOLDER]
// Prints one JSON object a page and round, times in milliseconds.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const HERE = path.dirname(fileURLToPath(import.meta.url)), ROOT = path.resolve(HERE, '../..');
const { values: o, positionals } = parseArgs({ allowPositionals: true, options: {
  angle: { type: 'string', default: 'swiftshader' }, size: { type: 'string', default: '1280x720' }, frames: { type: 'string', default: '6' },
  rounds: { type: 'string', default: '3' }, shot: { type: 'string' },
} });
if (!positionals[0]) { console.error('usage: node city_page.mjs PAGE.html [options], see the top of this file'); process.exit(2); }
const [width, height] = o.size.split('x').map(Number);
const ours = fs.readFileSync(positionals[0], 'utf8');
const data = /<script type=application\/octet-stream id=data>[^<]*<\/script>/.exec(ours)[0];
const peer = `<!DOCTYPE html><html><head><meta charset=utf-8><style>html,body{margin:0;overflow:hidden}</style>
<script type=importmap>{"imports":{"three":"/three/three.module.js"}}</script></head><body>${data}<script type=module src=/city_page_three.mjs></script></body></html>`;

// The peer's scripts count as part of it: a page of one file would have them inside.
const SCRIPTS = { '/three/three.module.js': 'bench/peers/node_modules/three/build/three.module.js', '/three/three.core.js': 'bench/peers/node_modules/three/build/three.core.js',
  '/city_page_three.mjs': 'bench/peers/city_page_three.mjs', ...Object.fromEntries(['data', 'model', 'city'].map((name) => [`/page/${name}.js`, `page/${name}.js`])) };
const sizes = { memcity: Buffer.byteLength(ours),
  'three.js instanced': Buffer.byteLength(peer) + Object.values(SCRIPTS).reduce((sum, file) => sum + fs.statSync(path.join(ROOT, file)).size, 0) };
const server = http.createServer((request, response) => {
  const at = new URL(request.url, 'http://x').pathname, file = SCRIPTS[at];
  const body = at === '/memcity' ? ours : at === '/three.js%20instanced' ? peer : file && fs.readFileSync(path.join(ROOT, file));
  response.writeHead(body ? 200 : 404, { 'content-type': file ? 'text/javascript' : 'text/html', 'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' });
  response.end(body || '');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

// Pictures of ours are done when their fence is: `drawn` has when, one a picture. The peer waits for each by itself.
function watch() {
  globalThis.drawn = [];
  globalThis.indices = 0;
  const { clientWaitSync, drawElements } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.clientWaitSync = function (...all) {
    const state = clientWaitSync.apply(this, all);
    if (state !== this.TIMEOUT_EXPIRED && drawn.push(performance.now())) globalThis.next?.();
    return state;
  };
  WebGL2RenderingContext.prototype.drawElements = function (...all) {
    indices += all[1];
    drawElements.apply(this, all);
  };
}

// Of ours, in the page. Every picture has all buildings, none with smooth borders, as three.js' have none.
async function measureOurs(frames) {
  const { app, isResting } = memcity, res = {}, rest = async () => { while (!isResting()) await new Promise(requestAnimationFrame); };
  await memcity.ready;
  while (drawn.length < 1) await new Promise(requestAnimationFrame);
  res.first_picture_ms = drawn[0];
  await rest();
  res.whole_ms = performance.now();
  // What changes as soon as a picture is done is in the next one: none of the finer ones at rest comes between.
  const pictures = (count, change) => new Promise((done) => {
    const times = [];
    globalThis.next = () => {
      times.push(performance.now());
      if (times.length > count) {
        globalThis.next = null;
        return done(times.slice(1).map((at, i) => at - times[i]));
      }
      change();
    };
    change();
  });
  const turn = () => app.setPose({ ...app.pose, azimuth: app.pose.azimuth + 0.05 });
  const most = app.most; // what there is time for, which each picture teaches anew
  Object.defineProperty(app, 'most', { get: () => Infinity, set: () => {}, configurable: true });
  indices = 0;
  res.orbit_ms = await pictures(frames, turn);
  res.boxes = Math.floor(indices / 18 / (frames + 1)); // 18 indices are the three faces of one that can be seen
  res.step_ms = await pictures(frames, () => app.goTo((app.step + 1) % memcity.data().facts.steps.length));
  // As one uses it: while something moves, as many as there is time for.
  Object.defineProperty(app, 'most', { value: most, writable: true });
  res.moving_ms = await pictures(4 * frames, turn);
  return res;
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
for (let round = 0; round < +o.rounds; round++) {
  for (const name of Object.keys(sizes)) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'memcity-page-'));
    const context = await chromium.launchPersistentContext(profile, { executablePath: '/usr/bin/chromium', headless: true, viewport: { width, height }, reducedMotion: 'reduce',
      args: ['--headless', '--no-sandbox', '--disable-gpu-sandbox', `--use-angle=${o.angle}`, '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-gpu-watchdog'] });
    const page = context.pages()[0] ?? await context.newPage();
    page.setDefaultTimeout(0);
    await page.addInitScript(watch);
    await page.goto(`http://127.0.0.1:${server.address().port}/${encodeURIComponent(name)}`);
    const res = name === 'memcity' ? await page.evaluate(measureOurs, +o.frames)
      : await page.waitForFunction('globalThis.measure', null, { polling: 50 }).then(() => page.evaluate((frames) => measure(frames), +o.frames));
    if (o.shot) await page.screenshot({ path: path.join(o.shot, `${name.replace(' ', '-')}.png`) });
    const out = { page: name, round, angle: o.angle, width, height, bytes: sizes[name], load: os.loadavg()[0] };
    for (const [key, value] of Object.entries(res)) out[key] = Math.round((Array.isArray(value) ? median(value) : value) * 10) / 10;
    console.log(JSON.stringify(out));
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}
server.close();
