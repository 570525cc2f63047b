#!/usr/bin/env python3
"""Objects and bytes that survived until the end, by the moment at which they were made, straight from a .heaptimeline, beside those that
memcity has for its steps: timeline_reference.py MEMCITY FILE"""
import bisect
import json
import subprocess
import sys

memcity, path = sys.argv[1:3]
document = json.load(open(path))
meta = document["snapshot"]["meta"]
fields, nodes, samples = meta["node_fields"], document["nodes"], document["samples"]
type_at, id_at, size_at = (fields.index(name) for name in ("type", "id", "self_size"))
synthetic = meta["node_types"][0].index("synthetic")
last_ids = samples[1::2]
objects, sizes = [0] * len(last_ids), [0] * len(last_ids)
for at in range(0, len(nodes), len(fields)):
    if nodes[at + type_at] == synthetic:
        continue
    birth = nodes[at + id_at] if nodes[at + id_at] % 2 else 0
    moment = min(bisect.bisect_left(last_ids, birth), len(last_ids) - 1)
    objects[moment] += 1
    sizes[moment] += nodes[at + size_at]
for sums in (objects, sizes):
    for i in range(1, len(sums)):
        sums[i] += sums[i - 1]

steps = json.loads(subprocess.run([memcity, "info", path, "--moments", "1000000", "--json"], capture_output=True, check=True).stdout)["steps"]
found = [(step["objects"], step["bytes"]) for step in steps]
# Moments within a millisecond are one.
wanted = []
for i, (time, pair) in enumerate(zip(samples[::2], zip(objects, sizes))):
    if i > 0 and time // 1000 == last:
        wanted.pop()
    wanted.append(pair)
    last = time // 1000
if found != wanted:
    sys.exit(f"{len(found)} steps, not {len(wanted)}: " + str([(a, b) for a, b in zip(found, wanted) if a != b][:5]))
if len(wanted) < 5:
    sys.exit(f"only {len(wanted)} moments")
