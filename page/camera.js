// The camera: a pose, its lens, and what it frames; as engine/scene/camera.c and camera_fit.c.

const FOV = Math.PI / 4;
const STEEP = 55 * Math.PI / 180;
const FARNESS = 40;
const AIR = 0.05;
const LOWEST = 2 * Math.PI / 180;
export const HOME_ANGLES = { azimuth: 28 * Math.PI / 180, elevation: 44 * Math.PI / 180 };
export const BIRD_ANGLES = { azimuth: 0, elevation: Math.PI / 2 };

export function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function add(a, b, factor) {
  return [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor];
}

function getAxes({ azimuth, elevation }) {
  const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
  return { right: [ca, 0, -sa], up: [-sa * se, ce, -ca * se], forward: [-sa * ce, -se, -ca * ce] };
}

function getWorldSize(world) {
  return Math.max(world[3] - world[0], world[4] - world[1], world[5] - world[2]) || 1;
}

function getLens(camera, pose) {
  const t = Math.min(Math.max((pose.elevation - STEEP) / (Math.PI / 2 - STEEP), 0), 1);
  const share = t * t * (3 - 2 * t);
  const stretch = share > 0 ? (FARNESS * (1 + getWorldSize(camera.world) / pose.distance)) ** share : 1;
  return { stretch, distance: stretch * pose.distance, focal: stretch * camera.height / 2 / Math.tan(FOV / 2) };
}

// All that projecting takes: of a camera { world, width, height, insets: [left, top, right, bottom] }.
export function getView(camera, pose) {
  const axes = getAxes(pose);
  const lens = getLens(camera, pose);
  const [left, top, right, bottom] = camera.insets;
  const eye = add(pose.target, axes.forward, -lens.distance);
  return { axes, eye, focal: lens.focal, centerX: (left + camera.width - right) / 2,
    centerY: (top + camera.height - bottom) / 2 };
}

export function project(view, point) {
  const way = add(point, view.eye, -1);
  const depth = dot(view.axes.forward, way);
  if (!(depth > 0)) return null;
  const scale = view.focal / depth;
  return [view.centerX + scale * dot(view.axes.right, way), view.centerY - scale * dot(view.axes.up, way), scale];
}

export function getRay(view, x, y) {
  const ray = add(view.axes.forward, view.axes.right, (x - view.centerX) / view.focal);
  return add(ray, view.axes.up, (view.centerY - y) / view.focal);
}

export function getGround(view, x, y) {
  const ray = getRay(view, x, y);
  if (ray[1] > -1e-6 || view.eye[1] <= 0) return null;
  return add(view.eye, ray, view.eye[1] / -ray[1]);
}

// The matrix of what is relative to the eye: near and far lie close around the world.
export function getMatrix(camera, view) {
  const { axes, focal } = view;
  let [near, far] = [Infinity, 0];
  for (let corner = 0; corner < 8; corner++) {
    const point = [0, 1, 2].map((i) => camera.world[corner >> i & 1 ? i + 3 : i]);
    const depth = dot(axes.forward, add(point, view.eye, -1));
    [near, far] = [Math.min(near, depth), Math.max(far, depth)];
  }
  far *= 1.01;
  near = Math.max(near * 0.99, far * 2e-4);
  const [xScale, xShift] = [2 * focal / camera.width, 2 * view.centerX / camera.width - 1];
  const [yScale, yShift] = [2 * focal / camera.height, 1 - 2 * view.centerY / camera.height];
  const [zScale, zShift] = [(far + near) / (far - near), -2 * far * near / (far - near)];
  const matrix = new Float32Array(16);
  for (let column = 0; column < 3; column++) {
    const f = axes.forward[column];
    matrix.set([axes.right[column] * xScale + f * xShift, axes.up[column] * yScale + f * yShift, f * zScale, f], 4 * column);
  }
  matrix[14] = zShift;
  return matrix;
}

// ---- framing

function support(camera, pose, boxes) {
  const axes = getAxes(pose);
  const lens = getLens(camera, pose);
  const [left, top, right, bottom] = camera.insets;
  const scale = (1 - 2 * AIR) / 2 / lens.focal;
  const slopes = [Math.max(camera.width - left - right, 32) * scale, Math.max(camera.height - top - bottom, 32) * scale];
  const ahead = (i) => axes.forward.map((f) => slopes[i] * f);
  const normals = [add(axes.right, ahead(0), -1), add([0, 0, 0], add(axes.right, ahead(0), 1), -1),
    add(axes.up, ahead(1), -1), add([0, 0, 0], add(axes.up, ahead(1), 1), -1)];
  const reach = [-Infinity, -Infinity, -Infinity, -Infinity];
  const [low, max] = [[-Infinity, -Infinity, -Infinity], [-Infinity, -Infinity, -Infinity]];
  boxes((box, isAround) => {
    let isBeyond = false;
    const widen = (most, i, to) => {
      if (to <= most[i]) return;
      isBeyond = true;
      if (!isAround) most[i] = to;
    };
    for (let i = 0; i < 3; i++) {
      widen(low, i, -box[i]);
      widen(max, i, box[i + 3]);
    }
    normals.forEach((normal, plane) => {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += normal[i] * box[normal[i] > 0 ? i + 3 : i];
      widen(reach, plane, sum);
    });
    return isBeyond;
  });
  const min = low.map((at) => -at);
  return { axes, slopes, reach, min, max, stretch: lens.stretch };
}

function clipToBounds(s, eye, ray) {
  let [enter, leave] = [0, Infinity];
  for (let i = 0; i < 3; i++) {
    if (Math.abs(ray[i]) < 1e-12) {
      if (eye[i] < s.min[i] || eye[i] > s.max[i]) return null;
      continue;
    }
    const [a, b] = [(s.min[i] - eye[i]) / ray[i], (s.max[i] - eye[i]) / ray[i]];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave ? [enter, leave] : null;
}

function settle(camera, s, pose) {
  const { axes, slopes, reach } = s;
  const [xHigh, xLow, yHigh, yLow] = [reach[0], -reach[1], reach[2], -reach[3]];
  const smallest = getWorldSize(camera.world) * 1e-3;
  const center = dot(axes.forward, s.min.map((low, i) => (low + s.max[i]) / 2));
  const z = Math.min((xLow - xHigh) / (2 * slopes[0]), (yLow - yHigh) / (2 * slopes[1]), center - smallest);
  let eye = add([0, 0, 0], axes.right, (xLow + xHigh) / 2);
  eye = add(add(eye, axes.up, (yLow + yHigh) / 2), axes.forward, z);
  let distance = center - z;
  const clip = clipToBounds(s, eye, axes.forward);
  if (clip) {
    const floor = (s.min[1] - eye[1]) / axes.forward[1];
    const onFloor = Number.isFinite(floor) && floor <= clip[1] * (1 + 1e-9) && floor >= clip[0];
    distance = onFloor ? floor : Math.min(Math.max(distance, clip[0]), clip[1]);
  }
  distance = Math.max(distance, smallest);
  return { ...pose, target: add(eye, axes.forward, distance), distance: distance / s.stretch };
}

// A pose that shows whole boxes as large as the free part of the picture allows; `from` gives the angles, boxes(see) calls
// see(box) for each. see(box, true) says whether one in that box could make a difference.
export function fit(camera, from, boxes) {
  let pose = from;
  const rounds = getLens(camera, pose).stretch > 1 ? 4 : 1;
  for (let round = 0; round < rounds; round++) pose = settle(camera, support(camera, pose, boxes), pose);
  return pose;
}

// ---- moving

export function clampPose(camera, pose) {
  const size = getWorldSize(camera.world);
  const margin = size * 0.1;
  const target = pose.target.map((at, i) => Math.min(Math.max(at, camera.world[i] - (i === 1 ? 0 : margin)),
    camera.world[i + 3] + (i === 1 ? 0 : margin)));
  return { target, azimuth: pose.azimuth, elevation: Math.min(Math.max(pose.elevation, LOWEST), Math.PI / 2),
    distance: Math.min(Math.max(pose.distance, size * 2e-4), size * 4) };
}

// Scales the view about a point of the ground, which stays where it is drawn.
export function zoomAbout(camera, pose, factor, x, y) {
  const anchor = getGround(getView(camera, pose), x, y) || pose.target;
  const scaled = clampPose(camera, { ...pose, distance: pose.distance * factor });
  const share = scaled.distance / pose.distance;
  scaled.target = pose.target.map((at, i) => anchor[i] + (at - anchor[i]) * share);
  const after = getGround(getView(camera, scaled), x, y);
  if (after) scaled.target = scaled.target.map((at, i) => at + anchor[i] - after[i]);
  return clampPose(camera, scaled);
}

// What was under one point of the picture is then under another.
export function dragGround(camera, pose, fromX, fromY, toX, toY) {
  const view = getView(camera, pose);
  const [from, to] = [getGround(view, fromX, fromY), getGround(view, toX, toY)];
  if (!from || !to) return pose;
  return clampPose(camera, { ...pose, target: pose.target.map((at, i) => (i === 1 ? at : at + from[i] - to[i])) });
}

export function turn(camera, pose, byAzimuth, byElevation) {
  return clampPose(camera, { ...pose, azimuth: pose.azimuth + byAzimuth, elevation: pose.elevation + byElevation });
}

// On the way from one pose to another; the distance changes by equal factors in equal times.
export function blendPose(a, b, t) {
  const at = t < 0.5 ? 4 * t * t * t : 1 - 4 * (1 - t) ** 3;
  const ratio = Math.log(b.distance / a.distance);
  const share = Math.abs(ratio) < 1e-6 ? at : Math.expm1(ratio * at) / Math.expm1(ratio);
  const whole = 2 * Math.PI;
  const swing = b.azimuth - a.azimuth - whole * Math.round((b.azimuth - a.azimuth) / whole);
  return { target: a.target.map((from, i) => from + (b.target[i] - from) * share), distance: a.distance * Math.exp(ratio * at),
    azimuth: a.azimuth + swing * at, elevation: a.elevation + (b.elevation - a.elevation) * at };
}
