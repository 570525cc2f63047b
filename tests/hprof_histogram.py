#!/usr/bin/env python3
"""Compares what memcity exported of a heap dump with what the JVM itself says, class by class.

usage: hprof_histogram.py EXPORTED BEFORE AFTER [--shared]

EXPORTED is a folder as `memcity export --format default` writes it, BEFORE and AFTER the output of
jcmd GC.class_histogram of the same heap right before and after the dump. The same classes must be
there, and as many objects and bytes of each, where both histograms agree; where they don't, as many
bytes an object. --shared: class data sharing is on: histograms then count class objects of classes
that are not loaded, which no dump has.
"""
import collections
import glob
import json
import sys

from hprof_reference import leaf_of

FILLERS = "Heap#jdk.internal.vm#FillerElement[]"  # a dump shows them as what they are made of
INTS = "Heap#(primitive)#int[]"
CLASSES = "Heap#java.lang#Class"


def read_histogram(path):
    rows = collections.defaultdict(lambda: [0, 0])
    with open(path) as file:
        for line in file:
            words = line.split()
            if len(words) >= 4 and words[0].endswith(":") and words[0][:-1].isdigit():
                leaf = leaf_of(words[3])
                row = rows[INTS if leaf == FILLERS else leaf]
                row[0] += int(words[1])
                row[1] += int(words[2])
    return rows


def read_export(folder):
    leaves = {}
    path, = glob.glob(f"{folder}/default-format/*.json")
    with open(path) as file:
        stack = [json.load(file)["root"]]
    while stack:
        node = stack.pop()
        stack += node.get("children") or []
        if not node.get("children"):
            leaves[node["key"]] = [node["objects"], node["bytes"]]
    return leaves


def is_same(key, found, before, after, shared):
    if key == CLASSES and shared:
        return found[0] <= after[0]
    if key == INTS and found[0] != after[0]:
        return True  # gaps are filled with them, anew at each collection
    if before == after:
        return found == after
    # Others come and go, as does what the program makes while it is asked.
    return key.endswith("[]") or found[1] * after[0] == after[1] * found[0]


def main():
    found, before, after = read_export(sys.argv[1]), read_histogram(sys.argv[2]), read_histogram(sys.argv[3])
    steady = {key for key in after if before.get(key) == after[key]}
    wrong = [(key, "only memcity's") for key in found if key not in before and key not in after]
    wrong += [(key, "not memcity's") for key in steady if key not in found]
    for key, values in sorted(found.items()):
        if key in after and not is_same(key, values, before.get(key), after[key], "--shared" in sys.argv):
            wrong.append((key, f"memcity {values}, the JVM {before.get(key)} and {after[key]}"))
    for key, what in wrong[:20]:
        print(f"{key}: {what}")
    print(f"{len(found)} types, {len(steady)} of them steady, {len(wrong)} wrong")
    sys.exit(bool(wrong) or len(steady) < 100 or len(steady) < 0.98 * len(after))


main()
