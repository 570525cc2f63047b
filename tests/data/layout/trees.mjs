// trees.mjs - the trees to lay out: small made-up ones, and the max trees of recorded traces.
//
// A tree is { name, weight (leaves) or children }, children in the order that breaks ties.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

// Mulberry32: the same numbers on every machine.
function makeRandom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const leaf = (weight) => ({ weight });
const group = (...children) => ({ children });
const leaves = (count, weightOf) => Array.from({ length: count }, (_, i) => leaf(weightOf(i)));

function heavyTailed(random) {
  return Math.floor(16 / Math.pow(random() + 1e-6, 1.3));
}

function randomTree(random, depth, childLimit) {
  if (depth === 0 || random() < 0.3) return leaf(random() < 0.05 ? 0 : heavyTailed(random));
  return group(...Array.from({ length: 1 + Math.floor(random() * childLimit) },
    () => randomTree(random, depth - 1, childLimit)));
}

function chain(depth, end) {
  let node = end;
  for (let i = 0; i < depth; i++) node = i % 3 === 2 ? group(node, leaf(5 + (i % 7))) : group(node);
  return node;
}

// `dense`: store every rectangle; otherwise one checksum a block of rectangles.
export function makeTrees() {
  const random = makeRandom(1);
  const few = [16, 24, 24, 24, 32, 40, 40, 48, 1024];
  return [
    { name: "root-only", root: leaf(7), dense: true },
    { name: "single-leaf", root: group(leaf(3)), dense: true },
    { name: "equal", root: group(...leaves(17, () => 24), group(...leaves(12, () => 2)),
      group(...leaves(3, () => 8))), dense: true },
    { name: "zeros", root: group(leaf(0), leaf(5), group(leaf(0), leaf(0)), leaf(0), leaf(9),
      group(leaf(0), leaf(1), group(leaf(0))), leaf(2)), dense: true },
    { name: "all-zero", root: group(leaf(0), group(leaf(0), leaf(0)), leaf(0)), dense: true },
    { name: "chain", root: chain(30, group(...leaves(4, (i) => i + 1))), dense: true },
    { name: "halves", root: group(...leaves(50, (i) => Math.pow(2, 40 - i))), dense: true },
    { name: "thin", root: randomTree(random, 4, 8), width: 1000, height: 11, dense: true },
    { name: "random-small", root: group(...Array.from({ length: 5 },
      () => randomTree(random, 3, 5))), width: 700, height: 1000, dense: true },
    { name: "random", root: group(...Array.from({ length: 9 }, () => randomTree(random, 5, 7))),
      dense: false },
    { name: "heavy-tail", root: group(...leaves(300, () => heavyTailed(random))), dense: false },
    { name: "wide-ties",
      root: group(...leaves(4000, () => few[Math.floor(random() * few.length)])), dense: false },
    { name: "deep", root: chain(3000, leaf(1)), dense: false },
  ];
}

// The largest value of every leaf over all steps. A node that is a leaf in one step and an inner
// node in another gets a child that holds what its other children leave unexplained.
export function readMaxTree(folder, metric) {
  const makeNode = (key) => ({ key, children: new Map(), largest: 0, self: 0 });
  const root = makeNode("");
  const steps = readdirSync(folder).filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).root);
  const visit = (node, data, action) => {
    action(node, data);
    for (const child of data.children ?? []) {
      if (!node.children.has(child.key)) node.children.set(child.key, makeNode(child.key));
      visit(node.children.get(child.key), child, action);
    }
  };
  for (const step of steps) {
    visit(root, step, (node, data) => {
      const explained = (data.children ?? []).reduce((sum, child) => sum + child[metric], 0);
      node.largest = Math.max(node.largest, data[metric]);
      node.self = Math.max(node.self, data[metric] - explained);
    });
  }
  const finish = (node) => {
    if (node.children.size === 0) return leaf(node.largest);
    const children = [...node.children.values()];
    const result = children.map((child) => [Buffer.from(child.key), finish(child)]);
    if (node.self > 0) result.push([Buffer.from(node.key), leaf(node.self)]);
    result.sort((a, b) => Buffer.compare(a[0], b[0]));
    return group(...result.map((entry) => entry[1]));
  };
  return finish(root);
}
