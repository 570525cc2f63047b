// make_partition.mjs - lays steps of recorded traces out with d3.partition and stores what
// tests/app/test_tree_cli.sh is to find.
//
// Usage: npm ci && node make_partition.mjs TRACES, where TRACES is a folder of unpacked traces.
import { hierarchy, partition } from "d3-hierarchy";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

// Trace, metric, window, step, order.
const CASES = [
  ["httpclient-3.0.1", "bytes", [0, 25], 8, "growth"],
  ["httpclient-3.0.1", "objects", [0, 25], 3, "start"],
  ["httpclient-3.0.1", "bytes", [2, 20], 17, "end"],
  ["javac-daemon", "objects", [0, 5], 2, "growth"],
];

function readSteps(trace) {
  const folder = join(process.argv[2], trace, "default-format");
  return readdirSync(folder).filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
    .sort((a, b) => a.time - b.time);
}

function collect(root, metric) {
  const values = new Map();
  const visit = (node) => {
    values.set(node.key, node[metric]);
    (node.children ?? []).forEach(visit);
  };
  visit(root);
  return values;
}

const lines = [];
for (const [trace, metric, window, step, order] of CASES) {
  const steps = readSteps(trace);
  const first = collect(steps[window[0]].root, metric);
  const last = collect(steps[window[1]].root, metric);
  const rank = (key) => {
    const start = first.get(key) ?? 0, end = last.get(key) ?? 0;
    return order === "start" ? start : order === "end" ? end : end - start;
  };
  const root = hierarchy(steps[step].root)
    .sum((node) => (node.children?.length ? 0 : node[metric]))
    .sort((a, b) => rank(b.data.key) - rank(a.data.key) ||
      Buffer.compare(Buffer.from(a.data.key), Buffer.from(b.data.key)));
  partition().size([1, 1])(root);
  lines.push(`case\t${trace}\t${metric}\t${window.join(":")}\t${step}\t${order}`);
  root.eachBefore((node) => {
    if (node.x1 > node.x0)
      lines.push([node.data.key, node.depth, node.x0.toFixed(12), node.x1.toFixed(12)].join("\t"));
  });
}
const bytes = gzipSync(lines.join("\n") + "\n", { level: 9 });
bytes[9] = 255; // the system it was made on: unknown
writeFileSync(new URL("partition.tsv.gz", import.meta.url), bytes);
console.log(lines.length, "lines", bytes.length, "bytes");
