#!/usr/bin/env node
// Drawing a trace's city with three.js, or its flat tree with d3 and a canvas, in headless Chromium, one configuration a run.
//   node render.mjs DIR --mode instanced|merged|sunburst|icicle [--angle swiftshader|gl-egl] [--size 1280x720] [--frames 30]
//        [--metric bytes] [--budget 5] [--timeout 300] [--shot FILE.png]
// --angle chooses Chromium's GL: SwiftShader, or Mesa's. Prints one JSON object, times in milliseconds.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const { values: o, positionals } = parseArgs({ allowPositionals: true, options: {
  mode: { type: 'string', default: 'instanced' }, angle: { type: 'string', default: 'swiftshader' }, size: { type: 'string', default: '1280x720' },
  frames: { type: 'string', default: '30' }, metric: { type: 'string', default: 'bytes' }, budget: { type: 'string', default: '5' },
  timeout: { type: 'string', default: '300' }, shot: { type: 'string' },
} });
if (!positionals[0]) { console.error('usage: node render.mjs DIR --mode M [options], see the top of this file'); process.exit(2); }
const page_name = ['sunburst', 'icicle'].includes(o.mode) ? 'flat.mjs' : 'page.mjs';
const dir = path.resolve(positionals[0]), [width, height] = o.size.split('x').map(Number);
const files = fs.readdirSync(dir).filter((f) => f.endsWith('.json')).sort();

// Serves the page, the modules and the trace. The two cross-origin headers give performance.now() its full resolution.
const TYPES = { '.html': 'text/html', '.mjs': 'text/javascript', '.js': 'text/javascript', '.json': 'application/json' };
const server = http.createServer((request, response) => {
  const p = decodeURIComponent(new URL(request.url, 'http://x').pathname);
  const f = p.startsWith('/data/') ? path.join(dir, path.basename(p)) : path.join(HERE, path.normalize(p === '/' ? '/page.html' : p));
  if (!fs.existsSync(f) || !fs.statSync(f).isFile()) { response.writeHead(p === '/favicon.ico' ? 204 : 404); response.end(); return; }
  response.writeHead(200, { 'content-type': TYPES[path.extname(f)] ?? 'application/octet-stream', 'content-length': fs.statSync(f).size,
    'cache-control': 'no-store', 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' });
  fs.createReadStream(f).pipe(response);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'memcity-peers-'));
const out = { peer: page_name === 'flat.mjs' ? 'd3 and canvas' : 'three', mode: o.mode, angle: o.angle, width, height }, log = [];
let context, is_finished = false;
async function finish(code) {
  if (is_finished) return;
  is_finished = true;
  if (code !== 0 && log.length) out.console = log.slice(0, 5);
  for (const k in out) if (typeof out[k] === 'number') out[k] = Math.round(out[k] * 1000) / 1000;
  console.log(JSON.stringify(out));
  try { await Promise.race([context?.close(), new Promise((done) => setTimeout(done, 5000))]); } catch {}
  server.close();
  try { fs.rmSync(profile, { recursive: true, force: true }); } catch {}
  process.exit(code);
}
setTimeout(() => { out.error = `no result within ${o.timeout} s`; finish(1); }, +o.timeout * 1000);
try {
  context = await chromium.launchPersistentContext(profile, { executablePath: '/usr/bin/chromium', headless: true, viewport: { width, height },
    args: ['--headless', '--no-sandbox', '--disable-gpu-sandbox', `--use-angle=${o.angle}`, '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
      '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--enable-precise-memory-info', '--disable-gpu-watchdog', '--js-flags=--max-old-space-size=4000'] });
  const page = context.pages()[0] ?? await context.newPage();
  page.on('console', (m) => log.push(m.text()));
  page.on('pageerror', (e) => log.push(String(e)));
  page.on('crash', () => { out.error = 'the page crashed (out of memory?)'; finish(1); });
  page.setDefaultTimeout(0);
  out.chromium = context.browser()?.version();
  await page.goto(`http://127.0.0.1:${server.address().port}/?page=${page_name}`);
  await page.waitForFunction('window.ready === true', null, { timeout: 20000, polling: 100 });
  out.load_ms = await page.evaluate((f) => window.load(f), files.map((f) => '/data/' + f));
  const result = await page.evaluate((a) => window.measure(a), { mode: o.mode, width, height, frames: +o.frames, metric: o.metric,
    is_software: o.angle === 'swiftshader', budget_ms: +o.budget * 1000, shot: !!o.shot });
  if (result.png) fs.writeFileSync(o.shot, Buffer.from(result.png.split(',')[1], 'base64'));
  delete result.png;
  Object.assign(out, result);
  await finish(0);
} catch (e) {
  out.error ??= String(e).slice(0, 300);
  await finish(1);
}
