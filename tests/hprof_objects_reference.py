#!/usr/bin/env python3
"""A heap dump's objects and references as rows, compared with what a slow reader finds; and what GROUP BY makes of them.

usage: hprof_objects_reference.py DUMP OBJECTS REFERENCES ROWS LINKS

OBJECTS and REFERENCES are what `memcity objects` writes of DUMP (.tsv, or .csv). ROWS and LINKS become the rows of its
city: what a database's GROUP BY time, package, type gives.
"""
import collections
import csv
import re
import sys

import hprof_graph_reference as reference

UNESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\\": "\\"}


def unescape(field):
    return None if field == "\\N" else re.sub(r"\\(.)", lambda match: UNESCAPED[match[1]], field)


def read_csv(path):
    """csv.reader does not tell what is nothing from what is empty; names here are never empty."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield [field if field != "" else None for field in row]


def read_rows(path):
    if path.endswith(".csv"):
        rows = read_csv(path)
    else:
        with open(path, encoding="utf-8", newline="") as file:
            rows = iter([[unescape(field) for field in line.split("\t")] for line in file.read().split("\n")[:-1]])
    names = next(rows)
    return [dict(zip(names, row, strict=True)) for row in rows]


def escape(name):
    return name.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def compare(what, expected, found):
    if expected == found:
        return True
    print(f"{what}: expected {expected}, found {found}")
    return False


def compare_objects(dump, rows):
    graph = reference.Graph(dump, collections.defaultdict(lambda: (0, 0)))
    order, above = graph.dominators()
    keys = [key for key, *_ in dump.objects()]
    entries = {key: (leaf, length) for key, leaf, _, length in dump.objects()}
    is_right = compare("addresses", sorted(keys), sorted(int(row["address"]) for row in rows))
    by_address = {int(row["address"]): row for row in rows}
    roots = collections.defaultdict(set)
    for tag, key, _ in dump.roots:
        if tag not in reference.NO_ROOTS:
            roots[key].add(reference.KINDS[tag])
    held = collections.defaultdict(lambda: [0, 0])
    for node in reversed(order):  # what it dominates comes behind it
        if node == graph.root:
            continue
        at = node
        while at != graph.root:
            held[at][0] += 1
            held[at][1] += int(by_address[keys[node]]["bytes"])
            at = above[at]
    reached = set(order)
    for node, key in enumerate(keys):
        row, (leaf, length) = by_address[key], entries[key]
        _, package, kind = leaf.split("#")
        dominator = keys[above[node]] if node in reached and above[node] != graph.root else None
        count = length[0] if isinstance(length, tuple) else length
        expected = {
            "time": str(dump.time), "package": package, "type": kind,
            "class": kind if package.startswith("(") else f"{package}.{kind}",
            "length": None if count is None else str(count),
            "dominator": None if dominator is None else str(dominator),
            "dominator_class": ("(none)" if node not in reached else reference.REGIONS[graph.region[node]] if dominator is None
                                else by_address[dominator]["class"]),
            "retained_objects": str(held[node][0]), "retained": str(held[node][1]),
        }
        is_right &= compare(f"object {key}", expected, {name: row[name] for name in expected})
        found = set(row["root"].split(", ")) if row["root"] else set()
        is_right &= compare(f"roots of {key}", roots[key], found)
        is_right &= compare(f"kind of {key}", "class" if key in dump.classes else
                            "instance" if count is None else "array", row["kind"])
    return is_right


def compare_references(dump, rows):
    leaf_of = {key: leaf for key, leaf, *_ in dump.objects()}
    expected = collections.Counter((key, target) for key, targets in dump.all_references()
                                   for target in targets if target in leaf_of)
    found = collections.Counter((int(row["from_address"]), int(row["to_address"])) for row in rows)
    is_right = compare("references", expected, found)
    expected = collections.Counter((leaf, name, "1" if is_weak else "0", target)
                                   for leaf, name, is_weak, _, target in dump.named_references() if target in leaf_of)
    found = collections.Counter((f"Heap#{row['from_package']}#{row['from_type']}", row["field"], row["weak"],
                                 int(row["to_address"])) for row in rows)
    is_right &= compare("fields", expected, found)
    for row in rows:
        is_right &= compare("to", leaf_of[int(row["to_address"])], f"Heap#{row['to_package']}#{row['to_type']}")
    return is_right


def write_rows(rows, path):
    groups = collections.defaultdict(lambda: [0, 0])
    for row in rows:
        group = groups[row["time"], row["package"], row["type"]]
        group[0] += 1
        group[1] += int(row["bytes"])
    with open(path, "w", encoding="utf-8") as file:
        print("time", "Package", "Type", "objects", "bytes", sep="\t", file=file)
        for key, counts in sorted(groups.items()):
            print(*map(escape, key), *counts, sep="\t", file=file)


def write_links(rows, path):
    groups = collections.defaultdict(lambda: (set(), set()))
    for row in rows:
        group = groups[row["time"], row["from_package"], row["from_type"], row["to_package"], row["to_type"]]
        group[0].add(row["to_address"])
        group[1].add(row["from_address"])
    with open(path, "w", encoding="utf-8") as file:
        print("time", "from_Package", "from_Type", "to_Package", "to_Type", "points_to", "pointed_from", sep="\t", file=file)
        for key, (to, by) in sorted(groups.items()):
            print(*map(escape, key), len(to), len(by), sep="\t", file=file)


def main():
    sys.setrecursionlimit(100000)
    path, objects, references, rows, links = sys.argv[1:]
    reference.install_lengths()
    with open(path, "rb") as file:
        dump = reference.Dump(file.read())
    objects, references = read_rows(objects), read_rows(references)
    is_right = compare_objects(dump, objects)
    is_right &= compare_references(dump, references)
    write_rows(objects, rows)
    write_links(references, links)
    return 0 if is_right and objects and references else 1


sys.exit(main())
