#!/usr/bin/env python3
"""Groups a trace anew, by the definition, and compares with what memcity made of it.

usage: regroup_reference.py EXPORTED REGROUPED CLASSIFIER…   (folders in the default form, classifiers' names outermost first)
"""
import collections
import functools
import json
import pathlib
import sys

sys.setrecursionlimit(20000)


def read(folder):
    steps = {}
    for path in sorted((folder / "default-format").glob("*.json")):
        step = json.loads(path.read_text(encoding="utf-8"))
        steps[step["time"]] = step["root"]
    maps = {}
    for kind in ("points-to-maps", "pointed-from-maps"):
        for path in sorted((folder / "default-format" / kind).glob("*.json")):
            step = json.loads(path.read_text(encoding="utf-8"))
            maps[kind, step["time"]] = step["pointerMap"]
    return steps, maps


def forget_renames(steps):
    """What a node is called, and by what it is grouped, is what the step says that is read first."""
    said = {}

    def walk(node):
        node["name"], node["role"] = said.setdefault(node["key"], (node["name"], node["role"]))
        for child in node.get("children", ()):
            walk(child)

    for time in sorted(steps, key=str):  # as files are read
        walk(steps[time])


def shares(node, way=()):
    """What of each node no child explains, with the way to it; of leaves all of it."""
    rest = [node["objects"], node["bytes"]]
    for child in node.get("children", ()):
        here = way + ((child["role"], child["name"]),)
        yield from shares(child, here)
        rest[0] -= child["objects"]
        rest[1] -= child["bytes"]
    if not node.get("children") or any(rest):
        yield node["key"], way, rest


@functools.cache
def place(way, order):
    """The keys that a leaf gets: of each classifier, outermost first, all of its levels."""
    package = ".".join(name for role, name in way if role == "Package")
    keys = []
    for classifier in order:
        for role, name in way:
            if role != classifier:
                continue
            whole = "Package" in [role for role, _ in way] and role == "Type" and not package.startswith("(")
            if whole and not ("Package" in order and order.index("Package") < order.index("Type")):
                name = name if name.startswith(package + ".") else package + "." + name
            keys.append(name)
    return tuple(keys)


def main():
    before, before_maps = read(pathlib.Path(sys.argv[1]))
    after, after_maps = read(pathlib.Path(sys.argv[2]))
    order = tuple(sys.argv[3:])
    forget_renames(before)
    assert before.keys() == after.keys() and before_maps.keys() == after_maps.keys(), "steps"
    for time, root in before.items():
        wanted, place_of = collections.defaultdict(lambda: [0, 0]), {}
        for key, way, rest in shares(root):
            keys = place_of[key] = place(way, order)
            for depth in range(len(keys) + 1):
                for i in range(2):
                    wanted[keys[:depth]][i] += rest[i]
        # every group has its sum, wherever a share of its own may lie
        found, key_place = {}, {}

        def walk(node, way):
            # a share of its own is called as its group is
            here = way
            found.setdefault(here, [0, 0])
            key_place[node["key"]] = here
            for child in node.get("children", ()):
                is_own = child["name"] == node["name"] and child["role"] == node["role"] and not child.get("children")
                if is_own and way + (child["name"],) not in wanted:
                    key_place[child["key"]] = way
                    continue
                walk(child, way + (child["name"],))
            found[here] = [node["objects"], node["bytes"]]

        walk(after[time], ())
        assert {k: v for k, v in found.items()} == dict(wanted), (
            time, [(k, found.get(k), wanted.get(k)) for k in found.keys() | wanted.keys() if found.get(k) != wanted.get(k)][:5])
        for kind in ("points-to-maps", "pointed-from-maps"):
            if (kind, time) not in before_maps:
                continue
            wanted_pairs = collections.Counter()
            for outer, inners in (before_maps[kind, time] or {}).items():
                for inner, count in inners.items():
                    wanted_pairs[place_of[outer], place_of[inner]] += count
            found_pairs = {(key_place[outer], key_place[inner]): count
                           for outer, inners in (after_maps[kind, time] or {}).items() for inner, count in inners.items()}
            assert found_pairs == dict(wanted_pairs), (time, kind, len(found_pairs), len(wanted_pairs))
    print(f"{len(before)} steps, {len(before_maps)} maps")


main()
