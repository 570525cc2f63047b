#!/usr/bin/env python3
"""Writes what an import of a recorded trace must come to, computed without memcity.

    make.py FOLDER > NAME.tsv

FOLDER holds default-format/*.json, with points-to-maps/ and pointed-from-maps/ where there are any.
The first line counts over all steps: nodes, buildings, steps. Then a line a step, by time: time,
objects and bytes of the root, nodes, leaves, pairs of leaves with references, and the sums of the
points-to and of the pointed-from counts.
"""
import glob
import json
import os
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def walk(root):
    nodes = [root]
    while nodes:
        node = nodes.pop()
        yield node
        nodes.extend(node.get("children") or [])


def read_maps(folder, name):
    maps = {}
    for path in glob.glob(os.path.join(folder, name, "*.json")):
        document = read(path)
        maps[document["time"]] = document["pointerMap"] or {}
    return maps


def main():
    folder = os.path.join(sys.argv[1], "default-format")
    points_to = read_maps(folder, "points-to-maps")
    pointed_from = read_maps(folder, "pointed-from-maps")
    every, inner, with_own_share, lines = set(), set(), set(), {}
    for path in glob.glob(os.path.join(folder, "*.json")):
        document = read(path)
        root, time = document["root"], document["time"]
        node_count = leaf_count = 0
        for node in walk(root):
            children = node.get("children") or []
            every.add(node["key"])
            node_count += 1
            if children:
                inner.add(node["key"])
            else:
                leaf_count += 1
            for metric in ("objects", "bytes"):
                if node[metric] > sum(child[metric] for child in children):
                    with_own_share.add(node["key"])
        pairs, sums = set(), [0, 0]
        for outer, counts in points_to.get(time, {}).items():
            pairs.update((outer, inner_key) for inner_key in counts)
            sums[0] += sum(counts.values())
        for outer, counts in pointed_from.get(time, {}).items():
            pairs.update((inner_key, outer) for inner_key in counts)
            sums[1] += sum(counts.values())
        lines[time] = (time, root["objects"], root["bytes"], node_count, leaf_count, len(pairs),
                       *sums)
    # An inner node's own share is a building beside those of its children.
    buildings = len(every - inner) + len(inner & with_own_share)
    print(len(every), buildings, len(lines), sep="\t")
    for time in sorted(lines):
        print(*lines[time], sep="\t")


main()
