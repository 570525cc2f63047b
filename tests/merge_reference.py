#!/usr/bin/env python3
"""Makes parts of a fleet, merges what memcity exports of them by the definition, and compares with what memcity merged.

usage: merge_reference.py make FOLDER SEED
       merge_reference.py check MERGED UNDER ALIGNMENT TAKE HOLD_MS NAME=EXPORTED…

ALIGNMENT is time, step, or a bucket in ms. Folders are in the default form, as memcity export writes it.
"""
import collections
import json
import pathlib
import random
import sys

DECLARED = [{"name": "allocated", "unit": "bytes", "kind": "flow", "additive": True},
            {"name": "peak", "unit": "bytes", "kind": "stock", "additive": False},
            {"name": "load", "unit": "ratio", "kind": "stock", "additive": False}]
FLOWS, ADDITIVE = {"allocated"}, {"objects", "bytes", "allocated"}


# ---- making

def make_node(rng, key, above, classifiers, tree, has, metrics):
    name = key
    node = {"key": "#".join(above + [key]), "name": name, "role": classifiers[len(above) - 1] if above else "",
            "objects": rng.randrange(0, 1000) if has["own"] else 0}
    children = [make_node(rng, child, above + [key], classifiers, below, has, metrics)
                for child, below in tree.items() if rng.random() < 0.85]
    if not children:
        node["objects"] += rng.randrange(0, 5000)
    node["bytes"] = node["objects"] * 16
    if metrics and rng.random() < 0.8:
        values = {"peak": rng.randrange(10**9)}
        if not children:
            values["allocated"] = rng.randrange(10**6)
        if rng.random() < 0.5:
            values["load"] = rng.randrange(1000) / 1000 + 0.0001
        node["metrics"] = values
    for child in children:
        node["objects"] += child["objects"]
        node["bytes"] += child["bytes"]
    node["children"] = children
    return node


def leaves(node):
    if not node["children"]:
        yield node
    for child in node["children"]:
        yield from leaves(child)


def to_anttracks(node, above, classifiers):
    way = above + [node["name"]]
    made = {"key": node["name"], "fullKey": way, "fullKeyAsString": "#".join(way), "classifierId": len(way) - 2,
            "objects": node["objects"], "bytes": node["bytes"],
            "children": [to_anttracks(child, way, classifiers) for child in node["children"]]}
    if "metrics" in node:
        made["metrics"] = node["metrics"]
    return made


def make(folder, seed):
    odd = ["a b", "ä€😀", 'q"uo\\te', "tab\there", "x" * 300, "new\nline"]
    for number in range(5):
        rng = random.Random(seed * 100 + number)
        tree = {"p%d" % p: {"T%d" % t: ({"S%d" % s: {} for s in range(rng.randrange(3))} if rng.random() < 0.2 else {})
                            for t in range(rng.randrange(1, 12))} for p in range(rng.randrange(2, 8))}
        tree["own%d" % number] = {name: {} for name in odd}
        classifiers = ["Package", "Type", "Site"] if number != 3 else ["Package", "Class", "Place"]
        has = {"own": number % 2 == 0}
        is_anttracks = number in (1, 2)
        part = pathlib.Path(folder) / ("part%d" % number)
        (part / "points-to-maps").mkdir(parents=True)
        (part / "pointed-from-maps").mkdir(parents=True)
        time = 60000 * rng.randrange(0, 3) + rng.randrange(60000)
        for step in range(rng.randrange(4, 9)):
            root = make_node(rng, "Heap" if number else "Overall", [], classifiers, tree, has, number % 3 != 1)
            document = {"time": time, "root": root}
            if number % 3 != 1:
                document["metrics"] = DECLARED
            if is_anttracks:
                document["classifiers"] = [{"name": name, "id": i} for i, name in enumerate(classifiers)]
                document["root"] = to_anttracks(root, [], classifiers)
            (part / ("%02d.json" % step)).write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
            keys = [leaf["key"] for leaf in leaves(root)]
            for direction in ("points-to-maps", "pointed-from-maps"):
                pairs = collections.defaultdict(dict)
                for _ in range(20 if number != 2 else 0):
                    pairs[rng.choice(keys)][rng.choice(keys)] = rng.randrange(1, 100)
                if number != 2:
                    (part / direction / ("%02d.json" % step)).write_text(
                        json.dumps({"time": time, "pointerMap": pairs}, ensure_ascii=False), encoding="utf-8")
            # close together, at times, and far apart once in a while
            time += rng.choice([7000, 20000, 55000, 60000, 65000, 130000])


# ---- merging

def read(folder):
    """Of each time: nodes by the way of their names, (role, values); references by their ways."""
    folder = pathlib.Path(folder) / "default-format"
    steps = {}
    for path in folder.glob("*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        nodes, ways = {}, {}

        def walk(node, way):
            ways[node["key"]] = way
            values = {"objects": node["objects"], "bytes": node["bytes"], **node.get("metrics", {})}
            nodes[way] = (node["role"], values)
            for child in node.get("children", ()):
                walk(child, way + (child["name"],))

        walk(document["root"], ())
        maps = collections.defaultdict(lambda: [0, 0])
        for index, kind in enumerate(("points-to-maps", "pointed-from-maps")):
            other = folder / kind / path.name
            if not other.exists():
                continue
            for outer, inner in (json.loads(other.read_text(encoding="utf-8"))["pointerMap"] or {}).items():
                for key, count in inner.items():
                    pair = (ways[outer], ways[key]) if index == 0 else (ways[key], ways[outer])
                    maps[pair][index] = count
        steps[document["time"]] = (nodes, {pair: tuple(counts) for pair, counts in maps.items()})
    return steps


def divide(value, count):
    return (2 * value + count) // (2 * count)


def mean(steps):
    """Of additive stocks: what no child explains is divided, and summed up again."""
    nodes = {}
    for way in {way for step, _ in steps for way in step}:
        role = next(step[way][0] for step, _ in steps if way in step)
        values = dict(steps[-1][0][way][1]) if way in steps[-1][0] else {}
        nodes[way] = (role, {metric: value for metric, value in values.items() if metric not in ADDITIVE})
    for metric in ("objects", "bytes"):
        sums = {way: sum(step[way][1][metric] for step, _ in steps if way in step) for way in nodes}
        for way in sorted(nodes, key=len, reverse=True):
            below = [other for other in nodes if len(other) == len(way) + 1 and other[:len(way)] == way]
            share = max(sums[way] - sum(sums[other] for other in below), 0)
            nodes[way][1][metric] = divide(share, len(steps)) + sum(nodes[other][1][metric] for other in below)
    return nodes


def take(steps, how, slot):
    """What is made of a part's steps in one slot, by time."""
    times = sorted(steps)
    chosen = {"last": times[-1], "first": times[0], "mean": times[-1],
              "nearest": min(times, key=lambda time: (abs(time - slot), time))}[how]
    made = {way: (role, dict(values)) for way, (role, values) in steps[chosen][0].items()}
    if how == "mean":
        made = mean([steps[time] for time in times])
    has_flows = any("allocated" in values for step in steps.values() for _, values in step[0].values())
    for way in {way for time in times for way in steps[time][0]} if has_flows else ():
        flow = [steps[time][0][way][1].get("allocated") for time in times if way in steps[time][0]]
        role = next(steps[time][0][way][0] for time in times if way in steps[time][0])
        role, values = made.setdefault(way, (role, {"objects": 0, "bytes": 0}))
        values["allocated"] = sum(value for value in flow if value is not None)
    return made, steps[chosen][1]


def hold(made):
    nodes = {way: (role, {metric: value for metric, value in values.items() if metric not in FLOWS})
             for way, (role, values) in made[0].items()}
    return nodes, made[1]


def merge(under, alignment, how, hold_ms, parts):
    slotted = {}
    for name, steps in parts.items():
        slots = collections.defaultdict(dict)
        for index, time in enumerate(sorted(steps)):
            if alignment in ("time", "step"):
                slot = time if alignment == "time" else index
            else:
                bucket = int(alignment)
                slot = (time + (bucket // 2 if how == "nearest" else 0)) // bucket * bucket
            slots[slot][time] = steps[time]
        slotted[name] = {slot: take(group, how, slot) for slot, group in slots.items()}
    result = {}
    for slot in sorted({slot for slots in slotted.values() for slot in slots}):
        nodes, maps = {}, {}
        total = collections.Counter()
        for name, slots in slotted.items():
            made = slots.get(slot)
            before = [other for other in slots if other < slot]
            if not made and before and slot - max(before) <= hold_ms:
                made = hold(slots[max(before)])
            if not made:
                continue
            for way, (role, values) in made[0].items():
                nodes[(name,) + way] = (role if way else under, values)
            for metric in ADDITIVE:
                total[metric] += made[0][()][1].get(metric, 0)
            maps.update({((name,) + a, (name,) + b): counts for (a, b), counts in made[1].items()})
        nodes[()] = ("", dict(total))
        result[slot] = (nodes, maps)
    return result


def differ(time, what, ours, theirs):
    for key in sorted(set(ours) | set(theirs)):
        if ours.get(key) != theirs.get(key):
            sys.exit("%s: %s of %s: %s, not %s" % (time, what, key, theirs.get(key), ours.get(key)))


def check(merged, under, alignment, how, hold_ms, *parts):
    parts = dict(part.split("=", 1) for part in parts)
    ours = merge(under, alignment, how, int(hold_ms), {name: read(folder) for name, folder in parts.items()})
    theirs = read(merged)
    if sorted(ours) != sorted(theirs):
        sys.exit("steps: %s, not %s" % (sorted(theirs), sorted(ours)))
    for time, (nodes, maps) in ours.items():
        # An additive metric that is not said is 0.
        for table in (nodes, theirs[time][0]):
            for way, (role, values) in table.items():
                values.setdefault("allocated", 0)
        differ(time, "what", nodes, theirs[time][0])
        differ(time, "references", maps, theirs[time][1])
    print("%d steps, %d nodes, %d references" % (len(ours), sum(len(step[0]) for step in ours.values()),
                                                 sum(len(step[1]) for step in ours.values())))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]))
    else:
        check(*sys.argv[2:])
