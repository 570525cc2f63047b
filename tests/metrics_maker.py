#!/usr/bin/env python3
"""A trace with four metrics, and what memcity has to say of it: worked out here, from the documents.

Objects, bytes, "allocated" (a flow of bytes that adds up) and "coverage" (a real number that does not). Leaves come and
go, one is a group in later steps, some values are not said.

usage: metrics_maker.py make FORM FOLDER | check WHAT FOLDER FILE [METRIC]
"""
import csv, json, os, random, re, sys

STEPS = 12
METRICS = [{"name": "allocated", "title": "allocated bytes", "unit": "bytes", "kind": "flow", "additive": True},
           {"name": "coverage", "title": "line coverage", "unit": "ratio", "kind": "stock", "additive": False}]


def make_leaf(rng, key, step, index):
    node = {"key": key, "objects": 10 + index + step * (index % 5), "bytes": 1000 * (index + 1) + step * 7 * index,
            "metrics": {"allocated": rng.randrange(2**40 if index == 3 else 10**6)}, "children": []}
    if rng.random() < 0.8: node["metrics"]["coverage"] = rng.random() / (1 + index) if index else 0.1 * step / 3
    return node


def make_group(key, children, rng=None):
    node = {"key": key, "objects": sum(c["objects"] for c in children), "bytes": sum(c["bytes"] for c in children),
            "metrics": {"allocated": sum(c["metrics"]["allocated"] for c in children)}, "children": children}
    if rng: node["metrics"]["coverage"] = rng.random()
    return node


def make_step(step):
    """A tree of nodes with their own keys; the same in each run."""
    rng = random.Random(1000 + step)
    groups = []
    for g in range(4):
        leaves = [make_leaf(rng, f"leaf{i}", step, g * 6 + i) for i in range(6) if (i + step) % 9 != 8]
        if g == 2 and step >= 6:  # what was a leaf has parts of its own, which do not explain all of it
            parts = [make_leaf(rng, f"part{i}", step, i) for i in range(2)]
            grown = make_group("split", parts)
            grown["objects"] += 5
            grown["bytes"] += 600
            grown["metrics"]["allocated"] += 70
            grown["metrics"]["coverage"] = 0.25
            leaves.append(grown)
        elif g == 2:
            leaves.append(make_leaf(rng, "split", step, 30))
        groups.append(make_group(f"group{g}", leaves, rng if g != 1 else None))
    return make_group("Heap", groups, rng)


def to_document(node, form, path):
    full = path + [node["key"]]
    out = {"key": node["key"] if form == "anttracks" else "#".join(full)}
    if form == "anttracks":
        out.update(fullKey=full, fullKeyAsString="#".join(full), classifierId=len(full) - 2 if len(full) > 1 else -1,
                   retainedSize=-1, transitiveClosureSize=-1)
    else:
        out.update(name=node["key"], role=["", "Group", "Leaf", "Part"][len(full) - 1])
    out.update(objects=node["objects"], bytes=node["bytes"], metrics=node["metrics"])
    if node["children"]: out["children"] = [to_document(c, form, full) for c in node["children"]]
    return out


def make(form, folder):
    os.makedirs(folder)
    for step in range(STEPS):
        document = {"time": step * 1000, "metrics": METRICS, "root": to_document(make_step(step), form, [])}
        if form == "anttracks":
            document["classifiers"] = [{"name": n, "id": i} for i, n in enumerate(["Group", "Leaf", "Part"])]
        with open(f"{folder}/{step}.json", "w") as out:
            json.dump(document, out)


# ---- what a reader of the documents knows

def get_value(node, metric):
    return node[metric] if metric in ("objects", "bytes") else node.get("metrics", {}).get(metric)


def read_values(folder, metric):
    """Per step: the value of every node by its full key; a share that no child explains is KEY#KEY's last part."""
    steps, has_children = [], set()

    def walk(node, path, out):
        full = path + [node["key"].split("#")[-1]]
        children = node.get("children", [])
        if children: has_children.add("#".join(full))
        out["#".join(full)] = (get_value(node, metric), [get_value(c, metric) for c in children])
        for child in children: walk(child, full, out)

    names = sorted(os.listdir(folder), key=lambda n: int(n.split(".")[0]))
    for name in names:
        out = {}
        walk(json.load(open(f"{folder}/{name}"))["root"], [], out)
        steps.append(out)
    leaves = []
    additive = metric != "coverage"
    for out in steps:
        values = {}
        for key, (value, parts) in out.items():
            if key not in has_children: values[key] = value
            elif key.endswith("split"):  # the only one that is not explained
                own = key + "#split"
                values[own] = (value or 0) - sum(p or 0 for p in parts) if additive else (None if parts else value)
        leaves.append(values)
    return leaves


def get_series(folder, metric):
    leaves = read_values(folder, metric)
    absent = None if metric == "coverage" else 0
    keys = {k for step in leaves for k in step}
    return {k: [step.get(k, absent) for step in leaves] for k in keys}


def check_top(folder, path, metric):
    series = get_series(folder, metric)
    rows = {r["key"]: r for r in json.load(open(path))}
    assert len(rows) == len(series), (sorted(rows), sorted(series))
    growths = []
    for key, values in series.items():
        row, known = rows[key], [v for v in values if v is not None]
        assert row["first"] == values[0] and row["last"] == values[-1], (key, row, values)
        assert row["max"] == (max(known) if known else None), (key, row, values)
        both = values[0] is not None and values[-1] is not None
        assert row["growth"] == (values[-1] - values[0] if both else None), (key, row, values)
        assert ("sum" in row) == (metric == "allocated")
        if metric == "allocated": assert row["sum"] == sum(known), (key, row, values)
    for row in rows.values(): growths.append(row["growth"])
    known = [g for g in growths if g is not None]
    assert all(a >= b - 1e-9 for a, b in zip(known, known[1:])), growths
    assert growths[len(known):] == [None] * (len(growths) - len(known)), "what is not known comes last"


def check_layout(folder, path, metric):
    """Plots are as large as the largest values are, and a district is as large as its leaves together."""
    series = get_series(folder, metric)
    largest = {k: max([v for v in s if v is not None], default=0) for k, s in series.items()}
    whole = sum(largest.values())
    areas = {}
    for line in open(path):
        key, x0, y0, x1, y1 = line.rstrip("\n").split("\t")[:5]
        areas[key] = (float(x1) - float(x0)) * (float(y1) - float(y0))
    assert abs(areas["Heap"] - 1e6) < 1e-3
    for key, value in largest.items():
        if key.endswith("#split#split"): continue  # two nodes of one key
        assert abs(areas[key] - 1e6 * value / whole) < 1e-2, (key, areas[key], value)
    for group in range(4):
        inside = sum(v for k, v in largest.items() if k.startswith(f"Heap#group{group}#"))
        assert abs(areas[f"Heap#group{group}"] - 1e6 * inside / whole) < 1e-2, group


def check_city(folder, path, metric):
    """At the last step a building's share of its plot is its value's share of the largest."""
    series = get_series(folder, metric)
    rows = [line.rstrip("\n").split("\t") for line in open(path)]
    seen = {}
    for row in rows: seen[row[0]] = (float(row[3]) - float(row[1])) * (float(row[4]) - float(row[2]))
    largest = {k: max([v for v in s if v is not None], default=0) for k, s in series.items()}
    for key, values in series.items():
        if key.endswith("#split#split"): continue
        assert (key in seen) == bool(values[-1]), (key, values)
        if not values[-1]: continue
        expected = 1e6 * largest[key] / sum(largest.values()) * values[-1] / largest[key]
        assert abs(seen[key] - expected) < 0.02 + 1e-4 * expected, (key, seen[key], expected)


def read_squares(path):
    """Key and rectangle of each line; of keys that stand there twice the last."""
    rows = [line.rstrip("\n").split("\t") for line in open(path)]
    return {row[0]: tuple(map(float, row[1:5])) for row in rows}


def check_uniform(folder, path, metric):
    """Whatever leaves hold, their plots are squares of one size, apart from each other and within their group's."""
    plots, series = read_squares(path), get_series(folder, metric)
    leaves = [k for k, s in series.items() if any(s) and k in plots and not k.endswith("#split")]
    side = plots[leaves[0]][2] - plots[leaves[0]][0]
    assert len(leaves) > 20 and side > 20, (len(leaves), side)
    for key in leaves:
        x0, y0, x1, y1 = plots[key]
        assert abs(x1 - x0 - side) < 1e-9 and abs(y1 - y0 - side) < 1e-9, key
        around = plots[key.rsplit("#", 1)[0]]
        assert all(a <= b + 1e-9 for a, b in zip((around[0], around[1], x1, y1), (x0, y0, around[2], around[3]))), key
        for other in leaves:
            a = plots[other]
            apart = max(a[0] - x1, x0 - a[2], a[1] - y1, y0 - a[3])  # more than what rounding takes
            assert other == key or apart > -1e-9, (key, other)


def check_uniform_city(folder, path, metric, step):
    """What is there at a step stands on all of its plot; what is not, does not stand."""
    boxes, series = read_squares(path), get_series(folder, metric)
    sides = {round(b[2] - b[0], 3) for b in boxes.values()} | {round(b[3] - b[1], 3) for b in boxes.values()}
    assert max(sides) - min(sides) < 0.01, sides
    for key, values in series.items():
        if not key.endswith("#split#split"): assert (key in boxes) == bool(values[int(step)]), key


def strip(node):
    node = {k: v for k, v in node.items() if k in ("key", "objects", "bytes", "metrics", "children")}
    node["key"] = node["key"].split("#")[-1]
    if not node.get("metrics"): node.pop("metrics", None)
    if "children" in node: node["children"] = [strip(c) for c in node["children"]]
    return node


def check_documents(folder, other):
    names = os.listdir(folder)
    assert len(os.listdir(other)) == len(names)
    for name in names:
        a = json.load(open(f"{folder}/{name}"))
        b = json.load(open(f"{other}/{a['time']}.json"))
        assert a["metrics"] == b["metrics"], (a["metrics"], b["metrics"])
        assert strip(a["root"]) == strip(b["root"]), name  # doubles, too, to the last bit


def check_sql(folder, path, metric):
    """What sqlite3 prints of the view growth_of: path, first, last, max, sum."""
    series = get_series(folder, metric)
    rows = [line.rstrip("\n").split("|") for line in open(path)]
    number = lambda text: None if text == "NULL" else float(text)
    seen = {row[0].replace(" > ", "#"): [number(v) for v in row[1:]] for row in rows}
    for key, values in series.items():
        if key.endswith("#split#split"): continue
        known = [v for v in values if v is not None]
        if not any((values[0], values[-1], max(known, default=0))): continue
        total = sum(known) if metric == "allocated" else None
        assert seen[key] == [values[0], values[-1], max(known), total], (key, seen[key], values)


def check_report(folder, path, metric):
    """The chart's main line and the table of all steps are of the metric that the report is of."""
    page = open(path).read()
    own = metric not in ("objects", "bytes")
    names = sorted(os.listdir(folder), key=lambda n: int(n.split(".")[0]))
    totals = [get_value(json.load(open(f"{folder}/{name}"))["root"], metric if own else "bytes") for name in names]
    rows = re.findall(r"<tr><td>(\d+)</td><td>[^<]*</td>((?:<td>[^<]*</td>)+)</tr>", page)
    rows = [[cell.replace(",", "") for cell in re.findall("<td>([^<]*)", cells)] for step, cells in rows]
    assert [len(row) for row in rows] == [3 if own else 2] * len(totals), rows
    for row, total in zip(rows, totals):
        assert abs(float(row[-1]) - total) <= 1e-8 * total, (row, total)
    line = [tuple(map(float, p.split(","))) for p in re.search('class=main points="([^"]*)"', page)[1].split()]
    low, high = max(y for x, y in line), min(y for x, y in line)
    assert len(line) == len(totals), line
    span = max(totals) - min(totals)
    for (x, y), total in zip(line, totals):
        assert abs((low - y) / (low - high) - (total - min(totals)) / span) < 0.05, (y, total)
    title = {"allocated": "allocated bytes", "coverage": "line coverage"}.get(metric, "bytes")
    assert f"<i></i>{title}<i class=o></i>{'bytes' if own else 'objects'}" in page
    assert (f"<span>{title}, in all" in page) == (metric == "allocated")
    assert (f"<span>{title} at the end" in page) == (metric == "coverage")


def check_parts(folder, path, metric, step):
    """The window's table of the whole and its parts: what the documents say there, no more digits and no fewer."""
    nodes = []
    for name in ("0.json", f"{step}.json"):
        root = json.load(open(f"{folder}/{name}"))["root"]
        nodes.append({n["key"]: n for n in [root] + root["children"]})
    own = metric not in ("objects", "bytes")
    with open(path, newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 5, rows
    number = lambda text: None if text == "" else float(text)
    for row in rows:
        first, now = (nodes[i][row["part"]] for i in (0, 1))
        a, b = get_value(first, metric), get_value(now, metric)
        assert int(row["objects"]) == now["objects"] and int(row["bytes"]) == now["bytes"], row
        assert not own or number(row[metric]) == b, (row, b)
        growth = None if a is None or b is None else b - a
        assert number(row[f"growth so far ({metric})"]) == growth, (row, growth)
        share = number(row[f"share of {metric}"])
        whole = get_value(nodes[1]["Heap"], metric)
        assert share is None if metric == "coverage" else abs(share - b / whole) < 1e-5, (row, b, whole)


if __name__ == "__main__":
    if sys.argv[1] == "make": make(*sys.argv[2:4])
    else: globals()["check_" + sys.argv[2]](*sys.argv[3:])
