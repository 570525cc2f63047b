#!/usr/bin/env python3
"""v8_reference.py MEMCITY SNAPSHOT: a heap snapshot read slowly, and held against what memcity says of it, object by object: sizes,
references, what each retains. What keeps alive is DevTools' rule: neither weak edges nor shortcuts but the root's; of a WeakMap's
value its key. Handles and what is just being compiled are no roots of what others reach."""
import json, re, subprocess, sys
from collections import Counter

memcity, path = sys.argv[1:]
with open(path, encoding="utf-8", errors="replace") as file:
    d = json.load(file)
meta = d["snapshot"]["meta"]
N, E, S = d["nodes"], d["edges"], d["strings"]
nf, ef = meta["node_fields"], meta["edge_fields"]
nn = len(nf)
types, kinds = meta["node_types"][0], meta["edge_types"][0]
count = len(N) // nn
get = {name: N[nf.index(name)::nn] for name in ("type", "name", "id", "self_size", "edge_count")}
is_root = [types[t] == "synthetic" for t in get["type"]]
is_root[0] = True
weak_map = re.compile(r"\d+ / part of key \(.*? @\d+\) -> value \(.*? @\d+\) pair in WeakMap \(table @(\d+)\)$")

edges, weak, at = [[] for _ in range(count)], Counter(), 0
passing, pairs = set(), {}  # edges of roots by the way; what a WeakMap's table is left out of
for i in range(count):
    for _ in range(get["edge_count"][i]):
        kind, name, target = kinds[E[at]], E[at + 1], E[at + 2] // nn
        at += len(ef)
        if kind == "weak" or (kind == "shortcut" and i != 0):
            if not is_root[i] and not is_root[target]:
                weak[get["id"][i], get["id"][target]] += 1
            continue
        if kind == "internal" and not is_root[i]:
            found = weak_map.match(S[name])
            if found and int(found.group(1)) == get["id"][i]:
                pairs.setdefault(i, []).append(target)
                continue
        if types[get["type"][i]] == "synthetic" and (S[get["name"][i]] == "(Handle scope)" or
                                                     kind == "internal" and S[name].endswith("/ IdentityMapBase")):
            passing.add((i, len(edges[i])))
        edges[i].append(target)

lasts, todo = {0}, [0]
while todo:
    i = todo.pop()
    for target in [t for k, t in enumerate(edges[i]) if (i, k) not in passing] + pairs.get(i, []):
        if target not in lasts:
            lasts.add(target)
            todo.append(target)
for i in {i for i, _ in passing}:
    edges[i] = [t for k, t in enumerate(edges[i]) if (i, k) not in passing or is_root[t] or t not in lasts]

# Roots are one: what synthetic nodes reach.
roots, todo, seen = set(), [0], {0}
while todo:
    for target in edges[todo.pop()]:
        if not is_root[target]:
            roots.add(target)
        elif target not in seen:
            seen.add(target)
            todo.append(target)
for i in range(count):
    edges[i] = [] if is_root[i] else [t for t in edges[i] if not is_root[t]]
edges[0] = sorted(roots)

# Dominators by Cooper, Harvey, Kennedy.
order, number, stack = [], {}, [(0, iter(edges[0]))]
number[0] = -1
while stack:
    node, left = stack[-1]
    for target in left:
        if target not in number:
            number[target] = -1
            stack.append((target, iter(edges[target])))
            break
    else:
        stack.pop()
        number[node] = len(order)
        order.append(node)
before = {}
for node in order:
    for target in edges[node]:
        before.setdefault(target, []).append(node)
dominator, changed = {0: 0}, True
while changed:
    changed = False
    for node in reversed(order[:-1]):
        new = None
        for other in before[node]:
            if other not in dominator:
                continue
            if new is None:
                new = other
                continue
            while new != other:
                while number[new] < number[other]:
                    new = dominator[new]
                while number[other] < number[new]:
                    other = dominator[other]
        if dominator.get(node) != new:
            dominator[node] = new
            changed = True
retained = dict.fromkeys(range(count), 0)
for node in order[:-1]:  # children come before whoever dominates them
    retained[node] += get["self_size"][node]
    retained[dominator[node]] += retained[node]

def ask(*arguments):
    out = subprocess.run([memcity, "objects", path, *arguments], check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in out.splitlines()[1:]]

wrong = 0
told = {int(a): (int(b), int(r)) for a, b, r in ask("--columns", "address,bytes,retained")}
for i in range(count):
    if is_root[i]:
        continue
    wanted = (get["self_size"][i], retained[i])
    if told.pop(get["id"][i], None) != wanted:
        wrong += 1
        if wrong < 5:
            print("node", i, "id", get["id"][i], "is not", wanted)
references = Counter((int(a), int(b), int(w)) for a, b, w in ask("--references", "--columns", "from_address,to_address,weak"))
wanted = Counter((get["id"][i], get["id"][t], 0) for i in range(1, count) for t in edges[i])
for (a, b), times in weak.items():
    wanted[a, b, 1] += times
if told or wrong or references != wanted:
    print(len(told), "objects too many,", wrong, "wrong,", sum((references - wanted).values()), "references too many,",
          sum((wanted - references).values()), "missing")
    sys.exit(1)
print(count, "nodes,", sum(wanted.values()), "references: as they should be")
