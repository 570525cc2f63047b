// Max tree and layout the way the web port of Memory Cities does it; for layout.mjs (Node), page.mjs and flat.mjs (Chromium).
import { hierarchy, treemap, treemapSquarify, treemapBinary, treemapSlice, treemapDice, treemapSliceDice } from 'd3-hierarchy';

export const PHI = (1 + Math.sqrt(5)) / 2;
export const TILINGS = {
  squarify: treemapSquarify.ratio(PHI), binary: treemapBinary, slice: treemapSlice, dice: treemapDice,
  'slice-dice': treemapSliceDice,
};

export function median(values) {
  if (values.length === 0) return null;
  const s = [...values].sort((a, b) => a - b), m = s.length >> 1;
  return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2;
}

// In a page: the steps, ordered by time.
export async function loadTrees(files) {
  const trees = [];
  for (const f of files) trees.push(JSON.parse(await (await fetch(f)).text()));
  return trees.sort((a, b) => a.time - b.time);
}

// trees: parsed steps, ordered by time. Returns the layout tree's root and its leaves: nodes
// {key, children, counts (one a step), max}.
export function makeMaxTree(trees, metric) {
  const nodes = new Map();
  const find = (n, parent) => {
    let s = nodes.get(n.fullKeyAsString);
    if (s === undefined) {
      s = { key: n.fullKeyAsString, children: undefined, counts: new Float64Array(trees.length), max: 0 };
      nodes.set(s.key, s);
      if (parent) (parent.children ??= []).push(s);
    }
    return s;
  };
  let root = null;
  for (let t = 0; t < trees.length; t++) {
    const first = find(trees[t].root, null);
    root ??= first;
    const stack = [trees[t].root, first];
    while (stack.length) {
      const s = stack.pop(), n = stack.pop(), v = n[metric];
      s.counts[t] = v;
      if (v > s.max) s.max = v;
      for (const c of n.children ?? []) stack.push(c, find(c, s));
    }
  }
  return { root, nodeCount: nodes.size, leaves: [...nodes.values()].filter((n) => !n.children) };
}

// d3.hierarchy + sum + sort; ties in full-key order.
export function makeHierarchy(root) {
  return hierarchy(root, (n) => n.children)
    .sum((n) => (n.children ? 0 : n.max))
    .sort((a, b) => b.value - a.value || (a.data.key < b.data.key ? -1 : 1));
}

export function layOut(h, tiling, side, paddingOuter, paddingInner) {
  return treemap().tile(TILINGS[tiling]).paddingOuter(paddingOuter).paddingInner(paddingInner).size([side, side])(h);
}
