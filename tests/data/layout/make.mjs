// make.mjs - lays trees out with d3-hierarchy and stores what tests/test_treemap.c is to find.
//
// Usage: npm ci && node make.mjs [TRACES], where TRACES is a folder of unpacked traces; without it
// only the made-up trees are done. One <tree>.tsv.gz each, see README.md for the format.
import { hierarchy, treemap, treemapBinary, treemapDice, treemapSlice, treemapSliceDice,
  treemapSquarify } from "d3-hierarchy";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { makeTrees, readMaxTree } from "./trees.mjs";

const TILINGS = [
  ["squarify", treemapSquarify.ratio((1 + Math.sqrt(5)) / 2)],
  ["binary", treemapBinary],
  ["slice", treemapSlice],
  ["dice", treemapDice],
  ["slice-dice", treemapSliceDice],
];
const SCALINGS = [
  ["sqrt", Math.sqrt],
  ["linear", (value) => value],
  ["quadratic", (value) => value * value],
];
const PADDINGS = [0, 2.5];
const BLOCK_SIZE = 64;

function listBreadthFirst(root) {
  const nodes = [root];
  for (let i = 0; i < nodes.length; i++) {
    nodes[i].index = i;
    for (const child of nodes[i].children ?? []) nodes.push(child);
  }
  return nodes;
}

// A pseudo-random coefficient from -1 to 1 for one coordinate of one node.
function coefficient(index) {
  let hash = Math.imul(index + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2147483648 - 1;
}

function formatRectangles(nodes) {
  return nodes.map((n) => [n.x0, n.y0, n.x1, n.y1].map((v) => +v.toFixed(8)).join("\t"));
}

function formatChecksums(nodes) {
  const lines = [];
  for (let first = 0; first < nodes.length; first += BLOCK_SIZE) {
    let sum = 0;
    for (let i = first; i < Math.min(first + BLOCK_SIZE, nodes.length); i++) {
      [nodes[i].x0, nodes[i].y0, nodes[i].x1, nodes[i].y1].forEach((value, axis) => {
        sum += coefficient(4 * i + axis) * value;
      });
    }
    lines.push(sum.toFixed(8));
  }
  return lines;
}

function layOut(tree, tile, scale, padding) {
  const nodes = listBreadthFirst(tree.root);
  const root = hierarchy(tree.root)
    .sum((node) => (node.children ? 0 : scale(node.weight)))
    .sort((a, b) => b.value - a.value);
  treemap().tile(tile).size([tree.width, tree.height]).paddingOuter(padding).paddingInner(padding)(
    root);
  const placed = new Array(nodes.length);
  root.each((node) => (placed[node.data.index] = node));
  return placed;
}

function store(tree) {
  tree.width ??= 1000;
  tree.height ??= 1000;
  const lines = [`tree\t${listBreadthFirst(tree.root).length}\t${tree.width}\t${tree.height}`];
  for (const node of listBreadthFirst(tree.root))
    lines.push(`${node.children?.length ?? 0}\t${node.weight ?? 0}`);
  for (const [tilingIndex, [tiling, tile]] of TILINGS.entries()) {
    for (const [scaling, scale] of SCALINGS) {
      for (const padding of PADDINGS) {
        const placed = layOut(tree, tile, scale, padding);
        const dense = tree.dense || (tree.denseLinear && scaling === "linear" && padding === 0);
        const values = dense ? formatRectangles(placed) : formatChecksums(placed);
        lines.push(`layout\t${tilingIndex}\t${scaling}\t${padding}\t${dense ? 0 : BLOCK_SIZE}`,
          ...values);
      }
    }
  }
  const bytes = gzipSync(lines.join("\n") + "\n", { level: 9 });
  bytes[9] = 255; // the system it was made on: unknown
  writeFileSync(new URL(`${tree.name}.tsv.gz`, import.meta.url), bytes);
  console.log(tree.name, listBreadthFirst(tree.root).length, "nodes", bytes.length, "bytes");
}

makeTrees().forEach(store);
if (process.argv[2]) {
  const traces = [["httpclient-3.0.1", "bytes"], ["javac-daemon", "bytes"],
    ["perfetto", "bytes"], ["perfetto", "objects"]];
  for (const [trace, metric] of traces) {
    const root = readMaxTree(join(process.argv[2], trace, "default-format"), metric);
    store({ name: `${trace}-${metric}`, root, dense: false, denseLinear: trace === "javac-daemon" });
  }
}
