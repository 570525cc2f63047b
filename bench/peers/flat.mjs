// A flat tree with d3-hierarchy's partition and a 2D canvas, for render.mjs: all nodes of the trace, nothing pruned, without lines
// between them and without names, which memcity draws besides.
import { hierarchy, partition } from 'd3-hierarchy';
import { loadTrees, makeMaxTree, median } from '/lib.mjs';

const now = () => performance.now(), TURN = 2 * Math.PI;
let trees = [];

window.load = async (files) => {
  const begin = now();
  trees = await loadTrees(files);
  return now() - begin;
};

// Once for the window: children by their growth, then by their key, and a colour each.
function makeTree(max, stepCount) {
  const grown = (d) => d.data.counts[stepCount - 1] - d.data.counts[0];
  const root = hierarchy(max.root, (n) => n.children).sort((a, b) => grown(b) - grown(a) || (a.data.key < b.data.key ? -1 : 1));
  let hue = 0;
  for (const branch of root.children ?? []) {
    hue = (hue + 137.5) % 360;
    branch.each((d) => { d.color = `hsl(${hue.toFixed(0)} 60% ${Math.min(45 + 8 * d.depth, 85)}%)`; });
  }
  root.color = '#e7e9ed';
  return root;
}

// One measurement; o: mode (sunburst, icicle), width, height, frames, metric, budget_ms, is_software, shot.
window.measure = async (o) => {
  const res = {}, max = makeMaxTree(trees, o.metric), stepCount = trees.length, is_round = o.mode === 'sunburst';
  trees = null;
  let t = now();
  const root = makeTree(max, stepCount), levels = root.height + 1;
  res.order_ms = now() - t;
  res.leaves = max.leaves.length; res.nodes = max.nodeCount; res.steps = stepCount;

  const canvas = document.createElement('canvas');
  canvas.width = o.width; canvas.height = o.height;
  document.body.append(canvas);
  // What is read again and again, Chromium draws in software: said beforehand, it need not change its mind.
  const c = canvas.getContext('2d', { alpha: false, willReadFrequently: o.is_software });
  const radius = Math.min(o.width, o.height) / 2, nodes = root.descendants();
  const lay = partition().size(is_round ? [TURN, radius] : [o.height, o.width]);
  const setStep = (k) => { root.sum((n) => (n.children ? 0 : n.counts[k])); lay(root); };
  const drawSunburst = () => {
    c.setTransform(1, 0, 0, 1, o.width / 2, o.height / 2);
    for (const d of nodes) {
      if (d.x1 <= d.x0) continue;
      c.fillStyle = d.color;
      c.beginPath();
      c.arc(0, 0, d.y1, d.x0 - TURN / 4, d.x1 - TURN / 4);
      c.arc(0, 0, d.y0, d.x1 - TURN / 4, d.x0 - TURN / 4, true);
      c.fill();
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
  };
  const drawIcicle = () => {
    for (const d of nodes) {
      if (d.x1 <= d.x0) continue;
      c.fillStyle = d.color;
      c.fillRect(d.y0, d.x0, d.y1 - d.y0, d.x1 - d.x0);
    }
  };
  // Finished means that a pixel can be read.
  const draw = () => {
    c.fillStyle = '#fff';
    c.fillRect(0, 0, o.width, o.height);
    (is_round ? drawSunburst : drawIcicle)();
    c.getImageData(o.width >> 1, o.height >> 1, 1, 1);
  };
  setStep(0);
  draw();
  res.levels = levels;

  // A frame: all of it drawn again, as after zooming.
  const frames = [], steps = [], layouts = [];
  let b = now();
  for (let k = 0; k < o.frames && (k < 3 || now() - b < o.budget_ms); k++) { t = now(); draw(); frames.push(now() - t); }
  res.frame_ms = median(frames); res.frame_min_ms = Math.min(...frames); res.frames = frames.length;

  // A step: other values, laid out and drawn. They lie in arrays already.
  b = now();
  for (let k = 0; k < 2 * stepCount && (k < 3 || now() - b < o.budget_ms); k++) {
    t = now(); setStep((k + 1) % stepCount); layouts.push(now() - t); draw(); steps.push(now() - t);
  }
  res.layout_ms = median(layouts); res.step_ms = median(steps); res.step_min_ms = Math.min(...steps);
  if (o.shot) res.png = canvas.toDataURL('image/png');
  return res;
};
window.ready = true;
