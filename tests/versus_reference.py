#!/usr/bin/env python3
"""Compares two traces by the definition, and holds what `memcity diff --tsv` printed against that.

usage: versus_reference.py BEFORE AFTER METRIC STEP:STEP=PRINTED…  (folders in the default form; without moves)
       versus_reference.py --rows BEFORE AFTER ALIGN WINDOWS ROWS  (every leaf at every step of what `memcity export
                                                                    --versus --rows` wrote; WINDOWS: A:B,C:D or -)
       versus_reference.py --same-rows ROWS                        (both sides are the same at every step)
       versus_reference.py --rename FROM TO FOLDER OLD=NEW…        (a copy in which keys that are OLD are NEW)
       versus_reference.py --same PRINTED MOVED                    (nothing differs, nothing is new or gone, and
                                                                    at least so many groups were moved)
"""
import functools
import gc
import json
import pathlib
import re
import sys

sys.setrecursionlimit(20000)
gc.disable()  # what is read holds no cycles
FOLDS = [
    (r"\$\$Lambda(\$\d+)?([/+.](0x[0-9a-f]+|\d+))?", "$$Lambda"),
    (r"\$Proxy\d+", "$Proxy"),
    (r"(Generated(?:SerializationConstructor|Constructor|Method)Accessor)\d+", r"\1"),
    (r"[/+]0x[0-9a-f]+", ""),
]


@functools.cache
def fold(name):
    for pattern, by in FOLDS:
        folded, count = re.subn(pattern, by if "\\" in by else by.replace("\\", "\\\\"), name)
        if count:
            return folded
    return name


def get_own_key(node, parent_key):
    return node["key"][len(parent_key) + 1:] if parent_key is not None else node["key"]


def shares(node, metric, out, inner, way=(), parent_key=None):
    """What each node has beside its children, by folded keys from the root down."""
    way = way + (fold(get_own_key(node, parent_key)),) if way else ("",)
    children = node.get("children", [])
    own = node[metric] - sum(child[metric] for child in children)
    assert own >= 0
    if not children or own > 0:
        out[way] = out.get(way, 0) + own
    if children:
        inner.add(way)
    for child in children:
        shares(child, metric, out, inner, way, node["key"])


def compare(before, after, metric, *printed):
    inner, values_of = set(), {}
    for folder in {before, after}:  # what is inner at any step is
        values_of[folder] = []
        for _, root in read_with_times(folder):
            values_of[folder].append({})
            shares(root, metric, values_of[folder][-1], inner)
    root = read_with_times(after)[0][1]["key"]
    for pair in printed:
        numbers, path = pair.split("=")
        values = [values_of[folder][int(number)] for folder, number in zip((before, after), numbers.split(":"))]
        check(values, inner, root, path)


def check(sides, inner, root, printed):
    expected = {}
    for side, values in enumerate(sides):
        for way, value in values.items():
            key = "#".join((root,) + way[1:])
            if way in inner:
                key += "#" + (way[-1] if len(way) > 1 else root)
            expected.setdefault(key, [0, 0])[side] += value
    found, last = {}, None
    for line in pathlib.Path(printed).read_text(encoding="utf-8").splitlines()[1:]:
        difference, old, new, state, key, was = line.split("\t")
        assert was == "" and key not in found, key
        assert int(float(difference)) == int(new) - int(old), line
        assert state != "new" or old == "0", line
        assert state != "gone" or new == "0", line
        assert last is None or abs(float(difference)) <= last, line
        last = abs(float(difference))
        found[key] = [int(old), int(new)]
    for key in expected.keys() | found.keys():
        # What is there at another step only has nothing at this one.
        assert expected.get(key, [0, 0]) == found.get(key, [0, 0]), (key, expected.get(key), found.get(key))


@functools.cache
def read_with_times(folder):
    steps = {}
    for path in pathlib.Path(folder, "default-format").glob("*.json"):
        step = json.loads(path.read_text(encoding="utf-8"))
        steps[step["time"]] = step["root"]
    return [(time, steps[time]) for time in sorted(steps)]


def find_end(totals):
    """The last step before most was freed for good, as at a shutdown; else the last one."""
    last, peak = len(totals) - 1, max(totals)
    if last < 2 or totals[last] >= 0.4 * peak:
        return last
    end = max((i for i, total in enumerate(totals) if total >= 0.4 * peak), default=0)
    drop = max(max(totals[:i + 1]) - totals[i] for i in range(end + 1))
    is_start = last - end > 3 * (end + 1)
    is_tooth = drop >= 0.5 * (max(totals[:end + 1]) - totals[last])
    return last if is_start or is_tooth or end == 0 else end


def align(times, how, firsts, ends):
    """Which step of the one is beside which of the other, from the first that counts: up to their ends, then what is
    behind these."""
    if ":" in how:
        ends = [end if int(step) - first <= end else len(own) - 1
                for step, first, end, own in zip(how.split(":"), firsts, ends, times)]
    steps = align_all([own[:end + 1] for own, end in zip(times, ends)], how, firsts)
    rest = align_all([own[end:] for own, end in zip(times, ends)], "time" if how == "time" else "step", firsts)
    return steps + [tuple(step + end for step, end in zip(pair, ends)) for pair in rest[1:]]


def align_all(times, how, firsts):
    before, after = len(times[0]), len(times[1])
    if how == "time":
        since = [[time - own[0] for time in own] for own in times]
        both = sorted(set(since[0]) | set(since[1]))
        return [tuple(min(range(len(own)), key=lambda i: (abs(own[i] - at), i)) for own in since) for at in both]
    ahead = {"step": 0, "end": before - after}.get(how)
    if ":" in how:
        ahead = int.__sub__(*(int(step) - first for step, first in zip(how.split(":"), firsts)))
    first, last = min(0, -ahead), max(after, before - ahead)
    return [(min(max(i + ahead, 0), before - 1), min(max(i, 0), after - 1)) for i in range(first, last)]


ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\", "0": "\0", "b": "\b", "f": "\f"}


def read_rows(path):
    """Per time what each group has, [before, after, larger] of each metric, by names."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").split("\n")
    columns = [column.split("[")[0] for column in lines[0].split("\t")]
    names = columns[1:columns.index("objects")]
    times = {}
    for line in filter(None, lines[1:]):
        fields = line.split("\t")
        way = tuple(re.sub(r"\\(.)", lambda found: ESCAPED[found[1]], field)
                    for field in fields[1:1 + len(names)] if field != "\\N")
        own = dict(zip(columns[1 + len(names):], map(int, fields[1 + len(names):])))
        groups = times.setdefault(int(fields[0]), {})
        assert way not in groups, line
        groups[way] = {metric: [own["before." + metric], own[metric], own["larger." + metric]]
                       for metric in ("objects", "bytes")}
    return [times[time] for time in sorted(times)]


def check_rows(before, after, how, windows, printed):
    sides = [read_with_times(before), read_with_times(after)]
    firsts = [0, 0]
    if windows != "-":
        for side, window in enumerate(windows.split(",")):
            firsts[side], last = map(int, window.split(":"))
            sides[side] = sides[side][firsts[side]:last + 1]
        ends = [len(side) - 1 for side in sides]
    else:
        ends = [find_end([root["bytes"] for _, root in side]) for side in sides]
    steps = align([[time for time, _ in side] for side in sides], how, firsts, ends)
    found = read_rows(printed)
    assert len(found) == len(steps), (len(found), len(steps))
    nothing = {metric: [0, 0, 0] for metric in ("objects", "bytes")}
    for index, (pair, groups) in enumerate(zip(steps, found)):
        expected = {}
        for metric in nothing:
            for side, number in enumerate(pair):
                values = {}
                shares(sides[side][number][1], metric, values, set())
                for way, value in values.items():
                    group = expected.setdefault(way[1:], {metric: [0, 0, 0] for metric in nothing})
                    group[metric][side] = value
        for group in expected.values():
            for values in group.values():
                values[2] = max(values)
        for way in expected.keys() | groups.keys():
            assert expected.get(way, nothing) == groups.get(way, nothing), \
                (index, pair, way, expected.get(way), groups.get(way))


def check_same_rows(printed):
    steps = read_rows(printed)
    assert len(steps) > 1
    for groups in steps:
        assert groups
        for way, group in groups.items():
            for values in group.values():
                assert values[0] == values[1] == values[2], (way, values)


def rename(source, target, folder, rules):
    rules = dict(rule.split("=") for rule in rules)

    def walk(node, old_parent, new_parent):
        own = get_own_key(node, old_parent)
        renamed = rules.get(own, own)
        old = node["key"]
        node["key"] = new_parent + "#" + renamed if new_parent is not None else renamed
        if node["name"] == own:
            node["name"] = renamed
        for child in node.get("children", []):
            walk(child, old, node["key"])

    for path in pathlib.Path(source, "default-format").glob("*.json"):
        step = json.loads(path.read_text(encoding="utf-8"))
        walk(step["root"], None, None)
        place = pathlib.Path(target, folder)
        place.mkdir(parents=True, exist_ok=True)
        (place / path.name).write_text(json.dumps(step), encoding="utf-8")


def check_same(printed, least_moved):
    told = json.loads(pathlib.Path(printed).read_text(encoding="utf-8"))
    assert told["groups"]
    for group in told["groups"]:
        assert group["difference"] == 0 and group["state"] == "both", group
    moved = sum("was" in group for group in told["groups"])
    assert moved >= int(least_moved), moved
    assert sum(move["groups"] for move in told["moved"]) >= moved, len(told["moved"])


if sys.argv[1] == "--rename":
    rename(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
elif sys.argv[1] == "--rows":
    check_rows(*sys.argv[2:])
elif sys.argv[1] == "--same-rows":
    check_same_rows(*sys.argv[2:])
elif sys.argv[1] == "--same":
    check_same(*sys.argv[2:])
else:
    compare(*sys.argv[1:])
