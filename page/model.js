// The city of the page: its tree, names, plots and values. Nodes are counted as in the file, parents
// before children; buildings are those without children.
import { unfoldSign } from "./data.js";

const GRID = 65535;
const decoder = new TextDecoder();

function readTree(model, children) {
  const { count } = model;
  model.childCount = children;
  model.firstChild = new Uint32Array(count);
  model.parent = new Int32Array(count).fill(-1);
  model.level = new Uint32Array(count);
  let next = 1;
  for (let i = 0; i < count; i++) {
    model.firstChild[i] = next;
    for (let k = 0; k < children[i]; k++, next++) {
      model.parent[next] = i;
      model.level[next] = model.level[i] + 1;
    }
  }
}

// Each name's bytes, one after another.
function readNames(model, columns) {
  const { count } = model;
  const { shared, rest, text } = columns;
  let size = 0;
  for (let i = 0; i < count; i++) size += shared[i] + rest[i];
  const bytes = new Uint8Array(size);
  const starts = new Uint32Array(count + 1);
  let at = 0;
  let from = 0;
  for (let i = 0; i < count; i++) {
    bytes.copyWithin(at, starts[Math.max(i - 1, 0)], starts[Math.max(i - 1, 0)] + shared[i]);
    at += shared[i];
    bytes.set(text.subarray(from, from + rest[i]), at);
    at += rest[i];
    from += rest[i];
    starts[i + 1] = at;
  }
  model.nameBytes = bytes;
  model.nameStarts = starts;
}

// Of each step, the values of the buildings in the file's order, then those of districts if it has
// them. `prefix`: of the columns' names.
function readValues(columns, prefix, stepCount) {
  const [first, changed, change] = ["first", "changed", "change"].map((name) => columns[prefix + name]);
  const rows = first.length;
  const steps = [];
  for (let step = 0; step < stepCount; step++) steps.push(new Uint32Array(rows));
  const put = (step, row, value) => {
    if (value >= 2 ** 32 && steps[step] instanceof Uint32Array) steps[step] = Float64Array.from(steps[step]);
    steps[step][row] = value;
  };
  let at = 0;
  for (let row = 0; row < rows; row++) {
    let value = first[row];
    put(0, row, value);
    for (let step = 1; step < stepCount; step++) {
      const bit = step - 1;
      if (changed[(bit >> 3) * rows + row] >> (bit & 7) & 1) value += unfoldSign(change[at++]);
      put(step, row, value);
    }
  }
  return steps;
}

function findLargest(model, beyond) {
  const { count, parent, row } = model;
  const largest = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    if (model.childCount[i] > 0) continue;
    let most = 0;
    for (const step of model.steps) most = Math.max(most, step[row[i]]);
    largest[i] = most + beyond[row[i]];
  }
  for (let i = count - 1; i > 0; i--) if (parent[i] >= 0) largest[parent[i]] += largest[i];
  model.largest = largest;
}

// Siblings, the largest first, each beside the one before.
function readPlots(model, columns, ground) {
  const { count, childCount, firstChild, largest } = model;
  const { side, x, z, width, depth } = columns;
  const plots = new Float64Array(4 * count);
  plots.set(ground);
  let at = 0;
  for (let parent = 0; parent < count; parent++) {
    const order = [];
    for (let k = 0; k < childCount[parent]; k++) order.push(firstChild[parent] + k);
    order.sort((a, b) => largest[b] - largest[a] || a - b);
    const [x0, z0, x1, z1] = plots.subarray(4 * parent, 4 * parent + 4);
    let before = [0, 0, 0, 0];
    for (const child of order) {
      const isBehind = side[at >> 3] >> (at & 7) & 1;
      const left = before[isBehind ? 0 : 2] + unfoldSign(x[at]);
      const back = before[isBehind ? 3 : 1] + unfoldSign(z[at]);
      const now = [left, back, left + before[2] - before[0] + unfoldSign(width[at]),
        back + before[3] - before[1] + unfoldSign(depth[at])];
      at++;
      plots[4 * child] = x0 + (x1 - x0) * now[0] / GRID;
      plots[4 * child + 1] = z0 + (z1 - z0) * now[1] / GRID;
      plots[4 * child + 2] = x0 + (x1 - x0) * now[2] / GRID;
      plots[4 * child + 3] = z0 + (z1 - z0) * now[3] / GRID;
      before = now;
    }
  }
  model.plots = plots;
}

// The buildings of each district one after another.
function orderBuildings(model) {
  const { count, childCount, firstChild } = model;
  const buildings = new Uint32Array(model.buildingCount);
  const below = new Uint32Array(count);
  const from = new Uint32Array(count);
  for (let i = count - 1; i >= 0; i--) {
    below[i] += childCount[i] === 0 ? 1 : 0;
    if (i > 0) below[model.parent[i]] += below[i];
  }
  for (let i = 0; i < count; i++) {
    let at = from[i];
    for (let k = 0; k < childCount[i]; k++) {
      from[firstChild[i] + k] = at;
      at += below[firstChild[i] + k];
    }
    if (childCount[i] === 0) buildings[from[i]] = i;
  }
  model.buildings = buildings;
  model.buildingFrom = from;
  model.buildingsBelow = below;
}

export function makeModel({ facts, columns }) {
  const model = { facts, count: facts.nodes, role: columns.role, stepCount: facts.steps.length };
  readTree(model, columns.children);
  model.row = new Int32Array(model.count).fill(-1);
  let rows = 0;
  for (let i = 0; i < model.count; i++) if (model.childCount[i] === 0) model.row[i] = rows++;
  model.buildingCount = rows;
  for (let i = 0; facts.of_districts && i < model.count; i++) if (model.childCount[i] > 0) model.row[i] = rows++;
  readNames(model, columns);
  model.steps = readValues(columns, "", model.stepCount);
  if (facts.versus) {
    const [before, after] = ["a_", "b_"].map((prefix) => readValues(columns, prefix, model.stepCount));
    Object.assign(model, { before, after, state: columns.state });
  }
  if (facts.other) model.otherSteps = readValues(columns, "other_", model.stepCount);
  findLargest(model, columns.beyond);
  readPlots(model, columns, facts.ground);
  orderBuildings(model);
  model.unknown = columns.unknown;
  model.links = columns.held ? columns : null;
  return model;
}

// ---- what is asked of it

export function isDistrict(model, node) {
  return model.childCount[node] > 0;
}

export function getName(model, node) {
  const { nameBytes, nameStarts } = model;
  return decoder.decode(nameBytes.subarray(nameStarts[node], nameStarts[node + 1]));
}

export function getRole(model, node) {
  return model.role[node] > 0 ? model.facts.classifiers[model.role[node] - 1] : "";
}

function getOf(model, values, node) {
  if (model.row[node] >= 0) return values[model.row[node]];
  const from = model.buildingFrom[node];
  let sum = 0;
  for (let k = 0; k < model.buildingsBelow[node]; k++) sum += values[model.row[model.buildings[from + k]]];
  return sum;
}

export function getValue(model, step, node) {
  return getOf(model, model.steps[step], node);
}

// NaN: not known.
export function getShown(model, step, node) {
  const { row, steps, unknown } = model;
  const isUnknown = unknown && unknown[(step >> 3) * steps[0].length + row[node]] >> (step & 7) & 1;
  return isUnknown ? NaN : getValue(model, step, node);
}

export function getShownGrowth(model, step, node) {
  return Number.isNaN(getShown(model, step, node) + getShown(model, 0, node)) ? NaN : getGrowth(model, step, node);
}

// Since the first step; of two traces, from the first to the second at this step.
export function getGrowth(model, step, node) {
  const { before, after, steps } = model;
  return before ? getOf(model, after[step], node) - getOf(model, before[step], node)
    : getOf(model, steps[step], node) - getOf(model, steps[0], node);
}

// The largest share of 1 that growth has in colours; of two traces 2 is new, 3 gone. Where owners are known, groups of findings
// have theirs as far as their growth has come, others a hint of their own (MC_STYLE_OWNED_TINT).
export function getGrowthShares(model, step, nodes) {
  const growth = Float64Array.from(nodes, (node) => getGrowth(model, step, node));
  if (!model.before) {
    const { city, owners } = model.facts, most = city.largest_growth;
    const clamp = (share) => (share > 0 ? Math.min(share, 1) : 0);
    return growth.map((by, i) => owners?.[nodes[i]] * clamp(by / getGrowth(model, model.steps.length - 1, nodes[i])) ||
      clamp(most > 0 && by / most) * (owners ? .15 : 1));
  }
  const most = growth.reduce((sum, by) => Math.max(sum, Math.abs(by)), 1);
  return growth.map((by, i) => (model.state[model.row[nodes[i]]] > 0 ? model.state[model.row[nodes[i]]] + 1 : by / most));
}

// In the other metric, if the page has one.
export function getOther(model, step, node) {
  return getOf(model, model.otherSteps[step], node);
}

export function getSeries(model, node) {
  return model.steps.map((_, step) => getValue(model, step, node));
}

export function getAncestors(model, node) {
  const way = [];
  for (let at = node; at >= 0; at = model.parent[at]) way.unshift(at);
  return way;
}

export function isInside(model, node, around) {
  while (node >= 0 && model.level[node] > model.level[around]) node = model.parent[node];
  return node === around;
}

// Names from the root down, without it: how an address of the page names a node.
export function getPath(model, node) {
  return getAncestors(model, node).slice(1).map((at) => getName(model, at));
}

export function findPath(model, names) {
  let node = 0;
  for (const name of names) {
    let found = -1;
    for (let k = 0; k < model.childCount[node] && found < 0; k++)
      if (getName(model, model.firstChild[node] + k) === name) found = model.firstChild[node] + k;
    if (found < 0) return -1;
    node = found;
  }
  return node;
}

// Who references the objects of a building at the last step, and how many, the strongest first.
export function getHolders(model, node) {
  if (!model.links) return [];
  const { held, holder, references } = model.links;
  let [low, high] = [0, held.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (held[middle] < node) low = middle + 1;
    else high = middle;
  }
  const list = [];
  for (; held[low] === node; low++) list.push({ node: holder[low], count: references[low] });
  return list;
}

// The buildings that grew the most from the first step to `step`.
export function getGrowers(model, step, root, most) {
  const list = [];
  let least = 0;
  for (let k = 0; k < model.buildingsBelow[root]; k++) {
    const node = model.buildings[model.buildingFrom[root] + k];
    const growth = getGrowth(model, step, node);
    if (growth <= least) continue;
    list.push({ node, growth });
    if (list.length < 4 * most) continue;
    list.sort((a, b) => b.growth - a.growth);
    list.length = most;
    least = list[most - 1].growth;
  }
  list.sort((a, b) => b.growth - a.growth || a.node - b.node);
  return list.slice(0, most);
}

// Nodes whose name has `text`, the largest first.
export function search(model, text, most) {
  if (!model.lowerNames) {
    model.lowerNames = [];
    for (let i = 0; i < model.count; i++) model.lowerNames.push(getName(model, i).toLowerCase());
  }
  const wanted = text.toLowerCase();
  const hits = [];
  for (let i = 0; i < model.count; i++) if (model.lowerNames[i].includes(wanted)) hits.push(i);
  const count = hits.length;
  hits.sort((a, b) => model.largest[b] - model.largest[a] || a - b);
  return { count, nodes: hits.slice(0, most) };
}
