// The city in space, of a whole trace or of one district: boxes, bounds, and what a ray meets. As
// engine/city/evaluate.c and pick.c have it.
import { eachPart, getStep, isDistrict } from "./model.js";

const PHASE = 0.6;
const NEEDLE = 0.35;
export const SLENDERNESS = 2;
const SLAB = 0.06;
const DISTRICT_SHARE = 0.005;

export function ease(t) {
  const at = Math.min(Math.max(t, 0), 1);
  return at * at * (3 - 2 * at);
}

export function mix(a, b, t) {
  return a * (1 - t) + b * t;
}

export function makeCity(model, root) {
  const { plots } = model;
  const [x0, z0, x1, z1] = plots.subarray(4 * root, 4 * root + 4);
  const { city: plan } = model.facts;
  // A district's city has floors as thin as a whole one's.
  const share = root === 0 ? 1 : Math.max(x1 - x0, z1 - z0) / Math.max(plan.width, plan.depth);
  return { model, root, x0, z0, x1, z1, scaling: plan.scaling, fullHeight: plan.full_height,
    floor: root === 0 ? plan.district_height : share * DISTRICT_SHARE * Math.max(plan.width, plan.depth),
    tops: null };
}

export function getBase(city, node) {
  return (city.model.level[node] - city.model.level[city.root]) * city.floor;
}

function getSide(scaling, share) {
  if (share <= 0) return 0;
  const at = Math.min(share, 1);
  if (scaling === 0) return Math.sqrt(Math.sqrt(at));
  if (scaling === 1) return Math.sqrt(at);
  return scaling >= 3 ? 1 : at;
}

export function getShare(model, step, node) {
  return Math.min(getStep(model.counts, step)[model.row[node]] / model.largest[node], 1);
}

// [x0, y0, z0, x1, y1, z1] of a building between two steps, or of a district's slab.
export function getBox(city, node, from, to, moment) {
  const { model } = city;
  const [x0, z0, x1, z1] = model.plots.subarray(4 * node, 4 * node + 4);
  const base = getBase(city, node);
  if (isDistrict(model, node)) return [x0, base, z0, x1, base + city.floor, z1];
  const [before, now] = [getShare(model, from, node), getShare(model, to, node)];
  const [oldSide, newSide] = [getSide(city.scaling, before), getSide(city.scaling, now)];
  const [early, late] = [ease(moment / PHASE), ease((moment - (1 - PHASE)) / PHASE)];
  const grows = newSide >= oldSide;
  const up = mix(oldSide, newSide, grows ? early : late);
  let out = mix(oldSide > 0 ? oldSide : newSide * NEEDLE, newSide > 0 ? newSide : oldSide * NEEDLE, grows ? late : early);
  const side = Math.sqrt((x1 - x0) * (z1 - z0));
  let height = SLENDERNESS * side * up;
  if (city.scaling === 4) {
    out = 1;
    height = Math.max(SLAB * side, city.fullHeight * mix(before, now, ease(moment)));
  }
  const [x, z, halfX, halfZ] = [(x0 + x1) / 2, (z0 + z1) / 2, (x1 - x0) / 2 * out, (z1 - z0) / 2 * out];
  return [x - halfX, base, z - halfZ, x + halfX, base + height, z + halfZ];
}

// As tall as it ever gets.
export function getLargestBox(city, node) {
  const { plots } = city.model;
  const at = 4 * node;
  return [plots[at], getBase(city, node), plots[at + 1], plots[at + 2], getTops(city)[node], plots[at + 3]];
}

export function getArea({ plots }, node) {
  return (plots[4 * node + 2] - plots[4 * node]) * (plots[4 * node + 3] - plots[4 * node + 1]);
}

// What no building of a district ever rises above.
function getTops(city) {
  if (city.tops) return city.tops;
  const { model } = city;
  city.tops = new Float64Array(model.count);
  for (let node = model.count - 1; node >= 0; node--) {
    const height = isDistrict(model, node) ? city.floor : city.scaling === 4 ? city.fullHeight : SLENDERNESS * Math.sqrt(getArea(model, node));
    city.tops[node] = Math.max(city.tops[node], getBase(city, node) + height);
    const parent = model.parent[node];
    if (parent >= 0) city.tops[parent] = Math.max(city.tops[parent], city.tops[node]);
  }
  return city.tops;
}

export function getBounds(city) {
  return [city.x0, 0, city.z0, city.x1, getTops(city)[city.root], city.z1];
}

// Where a ray enters a box; Infinity: it misses.
function enter(box, eye, ray) {
  let [near, far] = [0, Infinity];
  for (let i = 0; i < 3; i++) {
    const a = (box[i] - eye[i]) / ray[i];
    const b = (box[i + 3] - eye[i]) / ray[i];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far ? near : Infinity;
}

// The building or district that a ray meets first; -1: none.
export function pick(city, eye, ray, from, to, moment) {
  const { model } = city;
  let [best, nearest] = [-1, Infinity];
  const visit = (node) => {
    if (enter(getLargestBox(city, node), eye, ray) >= nearest) return;
    const box = getBox(city, node, from, to, moment);
    const at = box[4] > box[1] ? enter(box, eye, ray) : Infinity;
    if (at < nearest) [best, nearest] = [node, at];
    eachPart(model, node, visit);
  };
  visit(city.root);
  return best;
}
