// The data of a memcity page drawn by three.js, for city_page.mjs: one InstancedMesh of buildings, one of districts, with the
// cheapest lit material; matrices and colours are written straight into the arrays. Places, sizes and growth are the page's own.
import * as THREE from 'three';
import { getBox, makeCity } from '/page/city.js';
import { readPage, unpack } from '/page/data.js';
import { getGrowthShares, makeModel } from '/page/model.js';

const element = document.getElementById('data');
const lines = element.textContent.split('\n').map((line) => Uint8Array.from(atob(line), (letter) => letter.charCodeAt(0)));
element.remove();
const model = makeModel(readPage(await unpack(lines))), city = makeCity(model, 0);
const canvas = document.createElement('canvas');
document.body.append(canvas);
const renderer = new THREE.WebGLRenderer({ canvas, antialias: false, powerPreference: 'high-performance' });
renderer.setPixelRatio(1);
renderer.setSize(innerWidth, innerHeight);
const gl = renderer.getContext(), pixel = new Uint8Array(4);
const scene = new THREE.Scene(), light = new THREE.DirectionalLight(0xffffff, 2.2);
scene.background = new THREE.Color('#dfe8f2');
light.position.set(-0.5, 1, 0.35);
scene.add(light, new THREE.AmbientLight(0xffffff, 1.1));

function makeMesh(count) {
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshLambertMaterial({ color: 0xffffff }), count);
  mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
  mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  mesh.instanceColor.setUsage(THREE.DynamicDrawUsage);
  mesh.frustumCulled = false;
  scene.add(mesh);
  return mesh;
}

const inner = [];
for (let node = 0; node < model.count; node++) if (model.childCount[node] > 0) inner.push(node);
const buildings = makeMesh(model.buildingCount), districts = makeMesh(inner.length);
const gradient = ['#e8e2da', '#ffaa50', '#e01010'].map((name) => new THREE.Color(name)), color = new THREE.Color();

function put(mesh, nodes, step, paint) {
  const M = mesh.instanceMatrix.array;
  nodes.forEach((node, i) => {
    const [x0, y0, z0, x1, y1, z1] = getBox(city, node, step, step, 1), at = 16 * i;
    M[at] = x1 - x0; M[at + 5] = y1 - y0; M[at + 10] = z1 - z0; M[at + 15] = 1;
    M[at + 12] = (x0 + x1) / 2; M[at + 13] = (y0 + y1) / 2; M[at + 14] = (z0 + z1) / 2;
    paint(i).toArray(mesh.instanceColor.array, 3 * i);
  });
  mesh.instanceMatrix.needsUpdate = mesh.instanceColor.needsUpdate = true;
}

function show(step) {
  const shares = getGrowthShares(model, step, model.buildings);
  put(buildings, model.buildings, step, (i) => (shares[i] < 0.5 ? color.lerpColors(gradient[0], gradient[1], Math.max(2 * shares[i], 0))
    : color.lerpColors(gradient[1], gradient[2], 2 * shares[i] - 1)));
}

const side = Math.max(city.x1 - city.x0, city.z1 - city.z0), middle = [(city.x0 + city.x1) / 2, 0, (city.z0 + city.z1) / 2];
const camera = new THREE.PerspectiveCamera(45, innerWidth / innerHeight, side / 1000, side * 10);
function orbit(angle) {
  const [reach, up] = [1.35 * side, 0.6];
  camera.position.set(middle[0] + Math.cos(angle) * Math.cos(up) * reach, Math.sin(up) * reach, middle[2] + Math.sin(angle) * Math.cos(up) * reach);
  camera.lookAt(...middle);
}

// A picture is there once one of its pixels can be read.
function draw(change) {
  const begin = performance.now();
  change();
  renderer.render(scene, camera);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return performance.now() - begin;
}

let step = model.stepCount - 1;
put(districts, inner, step, () => color.set('#7fb2e6'));
orbit(0.8);
draw(() => show(step));
const first_picture_ms = performance.now();
globalThis.measure = async (frames) => {
  const res = { first_picture_ms, whole_ms: first_picture_ms, orbit_ms: [], step_ms: [] }, next = () => new Promise(requestAnimationFrame);
  for (let i = 0; i < frames; i++, await next()) res.orbit_ms.push(draw(() => orbit(0.8 + 0.05 * i)));
  for (let i = 0; i < frames; i++, await next()) res.step_ms.push(draw(() => show(step = (step + 1) % model.stepCount)));
  res.moving_ms = res.orbit_ms;
  return res;
};
