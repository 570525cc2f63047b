// The city of the page: its tree, names, plots and values. Nodes are counted as in the file, parents
// before children; buildings are those without children.
import { orderByNumber, unfoldSign } from "./data.js";

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
  const [shared, rest, text] = [columns.shared(), columns.rest(), columns.text()];
  const starts = new Uint32Array(model.count + 1);
  for (let i = 0; i < model.count; i++) starts[i + 1] = starts[i] + shared[i] + rest[i];
  const bytes = new Uint8Array(starts[model.count]);
  let [at, from, before] = [0, 0, 0];
  for (let i = 0; i < model.count; i++) {
    const own = starts[i] + shared[i];
    while (at < own) bytes[at++] = bytes[before++];
    while (at < starts[i + 1]) bytes[at++] = text[from++];
    before = starts[i];
  }
  model.nameBytes = bytes;
  model.nameStarts = starts;
}

// Values stay as the page has them; those of a step are made when it is looked at. Rows are the buildings in the file's order,
// then the districts if they have values. `prefix`: of the columns' names.
function readValues({ stepCount }, columns, prefix) {
  const [first, changed, change] = ["first", "changed", "change"].map((name) => columns[prefix + name]());
  const counts = { first, changed, change, starts: new Uint32Array(first.length + 1), most: Float64Array.from(first), steps: [] };
  getStep(counts, stepCount - 1);
  return counts;
}

// The last step is made before all others: then it becomes known where the changes of each row begin, and the most of it.
function makeStep({ first, changed, change, starts, most }, step) {
  const rows = first.length;
  const now = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let value = first[row];
    let at = starts[row];
    for (let plane = 0; 8 * plane < step; plane++)
      for (let bits = changed[plane * rows + row] & (1 << Math.min(step - 8 * plane, 8)) - 1; bits > 0; bits &= bits - 1) {
        value += unfoldSign(change[at++]);
        if (value > most[row]) most[row] = value;
      }
    now[row] = value;
    starts[row + 1] ||= at;
  }
  return now;
}

// The values of a step, by rows.
export function getStep(counts, step) {
  return counts.steps[step] ||= makeStep(counts, step);
}

function findLargest(model, beyond) {
  const { count, parent, row, counts } = model;
  const largest = new Float64Array(count);
  for (let i = 0; i < count; i++) if (model.childCount[i] === 0) largest[i] = counts.most[row[i]] + beyond[row[i]];
  for (let i = count - 1; i > 0; i--) largest[parent[i]] += largest[i];
  model.largest = largest;
}

// All nodes, where the children of each stand together: the largest first.
export function orderSiblings({ count, firstChild, parent }, numbers) {
  const sorted = new Uint32Array(count);
  const next = firstChild.slice();
  for (const node of orderByNumber(numbers)) if (node > 0) sorted[next[parent[node]]++] = node;
  return sorted;
}

// Siblings, the largest first, each beside the one before.
function readPlots(model, columns, ground) {
  const { count, firstChild, parent, largest } = model;
  const [side, x, z, width, depth] = ["side", "x", "z", "width", "depth"].map((name) => columns[name]());
  const plots = new Float64Array(4 * count);
  const sorted = orderSiblings(model, largest);
  plots.set(ground);
  let [left, back, right, front] = [0, 0, 0, 0];
  for (let at = 0; at < count - 1; at++) {
    const child = 4 * sorted[at + 1];
    const around = parent[sorted[at + 1]];
    if (firstChild[around] === at + 1) left = back = right = front = 0;
    const [wide, deep] = [right - left + unfoldSign(width[at]), front - back + unfoldSign(depth[at])];
    const isBehind = side[at >> 3] >> (at & 7) & 1;
    left = (isBehind ? left : right) + unfoldSign(x[at]);
    back = (isBehind ? front : back) + unfoldSign(z[at]);
    right = left + wide;
    front = back + deep;
    const [x0, z0] = [plots[4 * around], plots[4 * around + 1]];
    const [x1, z1] = [plots[4 * around + 2] - x0, plots[4 * around + 3] - z0];
    plots[child] = x0 + x1 * left / GRID;
    plots[child + 1] = z0 + z1 * back / GRID;
    plots[child + 2] = x0 + x1 * right / GRID;
    plots[child + 3] = z0 + z1 * front / GRID;
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
  const model = { facts, count: facts.nodes, role: columns.role(), stepCount: facts.steps.length };
  readTree(model, columns.children());
  model.row = new Int32Array(model.count).fill(-1);
  let rows = 0;
  for (let i = 0; i < model.count; i++) if (model.childCount[i] === 0) model.row[i] = rows++;
  model.buildingCount = rows;
  for (let i = 0; facts.of_districts && i < model.count; i++) if (model.childCount[i] > 0) model.row[i] = rows++;
  readNames(model, columns);
  const read = (prefix) => readValues(model, columns, prefix);
  model.counts = read("");
  if (facts.versus) Object.assign(model, { before: read("a_"), after: read("b_"), state: columns.state() });
  if (facts.other) model.readOther = () => read("other_");
  findLargest(model, columns.beyond());
  readPlots(model, columns, facts.ground);
  orderBuildings(model);
  model.unknown = columns.unknown?.();
  if (columns.held) model.links = [columns.held(), columns.holder(), columns.references()];
  return model;
}

// ---- what is asked of it

export function isDistrict(model, node) {
  return model.childCount[node] > 0;
}

export function eachPart({ childCount, firstChild }, node, see) {
  for (let k = 0; k < childCount[node]; k++) see(firstChild[node] + k);
}

export function getName(model, node) {
  const { nameBytes, nameStarts } = model;
  return decoder.decode(nameBytes.subarray(nameStarts[node], nameStarts[node + 1]));
}

export function getRole(model, node) {
  return model.role[node] > 0 ? model.facts.classifiers[model.role[node] - 1] : "";
}

// All buildings in a district, or the building itself.
export function getBuildings(model, node) {
  return model.buildings.subarray(model.buildingFrom[node], model.buildingFrom[node] + model.buildingsBelow[node]);
}

// What adds up to a node's values.
function getRows(model, node) {
  return model.row[node] >= 0 ? [model.row[node]] : getBuildings(model, node).map((building) => model.row[building]);
}

function getOf(model, counts, node) {
  return getRows(model, node).reduce((sum, row) => sum + counts[row], 0);
}

// From rows to all nodes.
export function sumUp({ count, row, parent }, rows) {
  const values = new Float64Array(count);
  for (let node = count - 1; node >= 0; node--) {
    if (row[node] >= 0) values[node] = rows[row[node]];
    if (node > 0) values[parent[node]] += values[node];
  }
  return values;
}

export function getValue(model, step, node) {
  return getOf(model, getStep(model.counts, step), node);
}

// NaN: not known.
export function getShown(model, step, node) {
  const { row, counts, unknown } = model;
  const isUnknown = unknown && unknown[(step >> 3) * counts.first.length + row[node]] >> (step & 7) & 1;
  return isUnknown ? NaN : getValue(model, step, node);
}

export function getShownGrowth(model, step, node) {
  return Number.isNaN(getShown(model, step, node) + getShown(model, 0, node)) ? NaN : getGrowth(model, step, node);
}

// Between what and what there is growth: since the first step; of two traces, from the first to the second at this step.
export function getSides({ before, after, counts }, step) {
  return [before ? getStep(before, step) : getStep(counts, 0), getStep(after || counts, step)];
}

export function getGrowth(model, step, node) {
  const [from, to] = getSides(model, step);
  return getOf(model, to, node) - getOf(model, from, node);
}

// The largest share of 1 that growth has in colours; of two traces 2 is new, 3 gone. Where owners are known, groups of findings
// have theirs as far as their growth has come, others a hint of their own (MC_STYLE_OWNED_TINT).
export function getGrowthShares(model, step, nodes) {
  const rows = nodes.map((node) => model.row[node]);
  const [[from, to], [, last]] = [getSides(model, step), getSides(model, model.stepCount - 1)];
  const growth = Float64Array.from(rows);
  growth.forEach((row, i) => { growth[i] = to[row] - from[row]; });
  if (!model.before) {
    const { city, owners } = model.facts, most = city.largest_growth;
    const clamp = (share) => (share > 0 ? Math.min(share, 1) : 0);
    return growth.map((by, i) => owners && owners[nodes[i]] * clamp(by / (last[rows[i]] - from[rows[i]])) ||
      clamp(most > 0 && by / most) * (owners ? .15 : 1));
  }
  const most = growth.reduce((sum, by) => Math.max(sum, Math.abs(by)), 1);
  return growth.map((by, i) => (model.state[rows[i]] > 0 ? model.state[rows[i]] + 1 : by / most));
}

// In the other metric, if the page has one.
function getOtherValues(model) {
  return model.other ||= model.readOther();
}

export function getOther(model, step, node) {
  return getOf(model, getStep(getOtherValues(model), step), node);
}

// Of all steps.
export function getSeries(model, node, isOther) {
  const { first, changed, change, starts } = isOther ? getOtherValues(model) : model.counts;
  const series = new Array(model.stepCount).fill(0);
  for (const row of getRows(model, node)) {
    let value = first[row];
    let at = starts[row];
    series[0] += value;
    for (let bit = 0; bit < model.stepCount - 1; bit++) {
      if (changed[(bit >> 3) * first.length + row] >> (bit & 7) & 1) value += unfoldSign(change[at++]);
      series[bit + 1] += value;
    }
  }
  return series;
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
  const [held, holder, references] = model.links;
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
  const [from, to] = getSides(model, step);
  let least = 0;
  for (const node of getBuildings(model, root)) {
    const growth = to[model.row[node]] - from[model.row[node]];
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
