// The city in three.js, for render.mjs. Shapes are the web port's: footprint = plot * value / max (both sides scaled by
// the square root), height = 2 sqrt(area), colour by growth, districts flat and stacked by level. app/bench/bench_scene.c has
// the same scene and camera.
import * as THREE from 'three';
import { loadTrees, makeMaxTree, makeHierarchy, layOut, median } from '/lib.mjs';

const DISTRICT_HEIGHT = 1;
const now = () => performance.now();
let trees = [];

window.load = async (files) => {
  const begin = now();
  trees = await loadTrees(files);
  return now() - begin;
};

// Gray -> orange -> red, blended in linear colour space.
const GRADIENT = ['#9a9a9a', '#ff9a1f', '#e01010'].map((c) => new THREE.Color(c));
function setGrowthColor(out, x) {
  if (x <= 0) return out.copy(GRADIENT[0]);
  return x < 0.5 ? out.lerpColors(GRADIENT[0], GRADIENT[1], x * 2) : out.lerpColors(GRADIENT[1], GRADIENT[2], x * 2 - 1);
}

// The cheapest lit material, the fastest that we found in three.js on a CPU.
const makeMaterial = (o) => new THREE.MeshLambertMaterial(o);

// As memcity opens: this many stay opaque, the others let shine through. Unsorted and without edges, which both would cost more.
const OPAQUE_COUNT = 10, OPACITY = 0.4;
function setTranslucent(mesh) {
  mesh.material.transparent = true; mesh.material.opacity = OPACITY; mesh.material.depthWrite = false; mesh.material.needsUpdate = true;
}

// One InstancedMesh for the buildings, one for those that stay opaque, one for the districts; matrices and colours are written straight into the arrays.
function makeInstanced(scene, buildingCount, districtCount) {
  const make = (count) => {
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), makeMaterial({ color: 0xffffff }), count);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(count * 3), 3);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage); mesh.instanceColor.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false; mesh.count = 0;
    scene.add(mesh);
    return mesh;
  };
  const buildings = make(buildingCount), opaque = make(OPAQUE_COUNT), districts = make(districtCount), color = new THREE.Color();
  const put = (mesh, x, y, z, sx, sy, sz, c) => {
    const k = mesh.count++, M = mesh.instanceMatrix.array, o = k * 16, C = mesh.instanceColor.array;
    M[o] = sx; M[o + 5] = sy; M[o + 10] = sz; M[o + 12] = x; M[o + 13] = y; M[o + 14] = z; M[o + 15] = 1;
    C[k * 3] = c.r; C[k * 3 + 1] = c.g; C[k * 3 + 2] = c.b;
  };
  return {
    putDistrict(x, y, z, sx, sy, sz, c) { put(districts, x, y, z, sx, sy, sz, c); },
    begin() { buildings.count = opaque.count = 0; },
    putBuilding(x, y, z, sx, sy, sz, growth, staysOpaque) { put(staysOpaque ? opaque : buildings, x, y, z, sx, sy, sz, setGrowthColor(color, growth)); },
    end() {
      for (const mesh of [buildings, opaque]) { mesh.instanceMatrix.needsUpdate = mesh.instanceColor.needsUpdate = true; mesh.boundingSphere = null; }
    },
    setTranslucent() { setTranslucent(buildings); },
    pickable: buildings,
  };
}

// One BufferGeometry with 24 vertices a box, rewritten in place for each step.
function makeMerged(scene, buildingCount, districtCount) {
  const box = new THREE.BoxGeometry(1, 1, 1), BP = box.attributes.position.array, BN = box.attributes.normal.array, BI = box.index.array;
  const make = (count) => {
    const normals = new Int8Array(count * 72), indices = new Uint32Array(count * 36);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < 72; j++) normals[i * 72 + j] = BN[j] * 127;
      for (let j = 0; j < 36; j++) indices[i * 36 + j] = BI[j] + i * 24;
    }
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(new Float32Array(count * 72), 3).setUsage(THREE.DynamicDrawUsage));
    g.setAttribute('normal', new THREE.BufferAttribute(normals, 3, true));
    g.setAttribute('color', new THREE.BufferAttribute(new Uint8Array(count * 72), 3, true).setUsage(THREE.DynamicDrawUsage));
    g.setIndex(new THREE.BufferAttribute(indices, 1));
    const mesh = new THREE.Mesh(g, makeMaterial({ vertexColors: true }));
    mesh.frustumCulled = false; mesh.boxCount = 0;
    scene.add(mesh);
    return mesh;
  };
  const buildings = make(buildingCount), opaque = make(OPAQUE_COUNT), districts = make(districtCount), color = new THREE.Color();
  const put = (mesh, x, y, z, sx, sy, sz, c) => {
    const P = mesh.geometry.attributes.position.array, C = mesh.geometry.attributes.color.array, r = c.r * 255, g = c.g * 255, b = c.b * 255;
    let o = mesh.boxCount++ * 72;
    for (let j = 0; j < 72; j += 3, o += 3) {
      P[o] = x + BP[j] * sx; P[o + 1] = y + BP[j + 1] * sy; P[o + 2] = z + BP[j + 2] * sz;
      C[o] = r; C[o + 1] = g; C[o + 2] = b;
    }
  };
  const finish = (mesh) => {
    mesh.geometry.setDrawRange(0, mesh.boxCount * 36);
    mesh.geometry.attributes.position.needsUpdate = mesh.geometry.attributes.color.needsUpdate = true;
    mesh.geometry.boundingSphere = null;
  };
  return {
    putDistrict(x, y, z, sx, sy, sz, c) { put(districts, x, y, z, sx, sy, sz, c); finish(districts); },
    begin() { buildings.boxCount = opaque.boxCount = 0; },
    putBuilding(x, y, z, sx, sy, sz, growth, staysOpaque) { put(staysOpaque ? opaque : buildings, x, y, z, sx, sy, sz, setGrowthColor(color, growth)); },
    end() { finish(buildings); finish(opaque); },
    setTranslucent() { setTranslucent(buildings); },
    pickable: buildings,
  };
}
const MODES = { instanced: makeInstanced, merged: makeMerged };

function makeScene(side) {
  const scene = new THREE.Scene(), light = new THREE.DirectionalLight(0xffffff, 2.2);
  scene.background = new THREE.Color('#dfe8f2');
  light.position.set(-0.5, 1, 0.35);
  scene.add(light, new THREE.AmbientLight(0xffffff, 1.1));
  return scene;
}

// One measurement; o: mode, width, height, frames, metric, budget_ms, shot.
window.measure = async (o) => {
  const res = {}, begin = now();
  let t = begin;
  const lap = (name) => { res[name] = now() - t; t = now(); };

  const max = makeMaxTree(trees, o.metric), stepCount = trees.length;
  trees = null;
  lap('max_tree_ms');
  const h = makeHierarchy(max.root), side = 10 * Math.sqrt(max.leaves.length);   // the average plot is 10 x 10
  layOut(h, 'squarify', side, 1, 0.5);
  lap('layout_ms');
  const leaves = [], inner = [];
  for (const d of h) (d.children ? inner : leaves).push(d);
  let largestGrowth = 0;
  for (const d of leaves) { const c = d.data.counts; for (let k = 0; k < stepCount; k++) largestGrowth = Math.max(largestGrowth, c[k] - c[0]); }
  res.leaves = leaves.length; res.districts = inner.length; res.steps = stepCount;
  lap('collect_ms');

  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: false, powerPreference: 'high-performance' });
  renderer.setPixelRatio(1); renderer.setSize(o.width, o.height);
  const gl = renderer.getContext();
  lap('renderer_ms');
  const scene = makeScene(side), camera = new THREE.PerspectiveCamera(45, o.width / o.height, side / 1000, side * 10);
  const orbit = (a) => {
    const r = 1.5 * side, e = 0.6;
    camera.position.set(Math.cos(a) * Math.cos(e) * r, Math.sin(e) * r, Math.sin(a) * Math.cos(e) * r);
    camera.lookAt(0, 0, 0);
  };
  const city = MODES[o.mode](scene, leaves.length, inner.length);
  const color = new THREE.Color(), dark = new THREE.Color('#1b2a5c'), light = new THREE.Color('#7fb2e6');
  const deepest = Math.max(1, ...new Set(inner.map((d) => d.depth)));
  for (const d of inner)
    city.putDistrict((d.x0 + d.x1 - side) / 2, (d.depth + 0.5) * DISTRICT_HEIGHT, (d.y0 + d.y1 - side) / 2,
      d.x1 - d.x0, DISTRICT_HEIGHT, d.y1 - d.y0, color.lerpColors(dark, light, d.depth / deepest));
  let opaque = new Set();
  const setStep = (k) => {
    city.begin();
    for (let i = 0; i < leaves.length; i++) {
      const d = leaves[i], s = d.data, v = s.counts[k], q = Math.sqrt(v / s.max);
      const sx = (d.x1 - d.x0) * q, sz = (d.y1 - d.y0) * q, sy = 2 * Math.sqrt(sx * sz);
      if (sy > 0)
        city.putBuilding((d.x0 + d.x1 - side) / 2, d.depth * DISTRICT_HEIGHT + sy / 2, (d.y0 + d.y1 - side) / 2,
          sx, sy, sz, largestGrowth > 0 ? (v - s.counts[0]) / largestGrowth : 0, opaque.has(d));
    }
    city.end();
  };
  orbit(0.7);
  setStep(0);
  lap('scene_ms');
  // Finished means that a pixel can be read: gl.finish alone does not wait for Chromium's GPU process.
  const pixel = new Uint8Array(4);
  const finish = () => { gl.finish(); gl.readPixels(o.width >> 1, o.height >> 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); };
  const draw = () => { renderer.render(scene, camera); finish(); };
  draw();
  lap('first_draw_ms');
  res.first_picture_ms = now() - begin;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  res.gl = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  res.three = THREE.REVISION;

  // Orbit: one task, no compositor in between. Then steps: size, place and colour of all buildings, then a picture. The values lie
  // in arrays already.
  const shown = Math.min(stepCount - 1, 1);
  const measureFrames = (prefix, budget_ms) => {
    const frames = [], updates = [], steps = [];
    setStep(shown);
    for (let k = 0; k < 2; k++) { orbit(0.7 + 0.01 * k); draw(); }
    let b = now();
    for (let k = 0; k < o.frames && (k < 3 || now() - b < budget_ms); k++) {
      orbit(0.7 + 2 * Math.PI * k / o.frames);
      t = now(); draw(); frames.push(now() - t);
    }
    res[`${prefix}frame_ms`] = median(frames); res[`${prefix}frame_min_ms`] = Math.min(...frames); res[`${prefix}frames`] = frames.length;
    orbit(0.7);
    b = now();
    for (let k = 0, s = shown; k < 2 * stepCount && (k < 3 || now() - b < budget_ms / 2); k++) {
      s = (s + 1) % stepCount;
      t = now(); setStep(s); updates.push(now() - t); draw(); steps.push(now() - t);
    }
    res[`${prefix}update_ms`] = median(updates); res[`${prefix}step_ms`] = median(steps); res[`${prefix}step_min_ms`] = Math.min(...steps);
  };
  measureFrames('', o.budget_ms);

  // Pick: one ray through the city, what a hover costs.
  const ray = new THREE.Raycaster(), picks = [];
  for (let k = 0; k < 5; k++) {
    t = now();
    ray.setFromCamera(new THREE.Vector2(-0.3 + 0.15 * k, -0.1), camera);
    ray.intersectObjects([city.pickable], true);
    picks.push(now() - t);
  }
  res.pick_ms = median(picks);
  // As a window of memcity opens: but for those that grew the most all let shine through.
  const getGrowth = (d) => d.data.counts[stepCount - 1] - d.data.counts[0];
  opaque = new Set([...leaves].sort((a, b) => getGrowth(b) - getGrowth(a)).slice(0, OPAQUE_COUNT));
  city.setTranslucent();
  measureFrames('as_window_', o.budget_ms / 2);
  if (performance.memory) res.js_heap_mb = performance.memory.usedJSHeapSize / 1e6;
  if (o.shot) { setStep(stepCount - 1); orbit(0.7); draw(); res.png = canvas.toDataURL('image/png'); }
  return res;
};
window.ready = true;
