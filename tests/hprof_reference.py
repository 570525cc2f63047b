#!/usr/bin/env python3
"""Reads a heap dump the slow and simple way, and compares what memcity exported of it.

usage: hprof_reference.py DUMP EXPORTED

DUMP is .hprof or .hprof.gz, EXPORTED a folder as `memcity export --format default` writes it. Every
leaf's objects and both counts of every pair must be the same. Shares nothing with the importer but
the format's description.
"""
import collections
import functools
import glob
import gzip
import json
import struct
import sys

WIDTHS = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
PRIMITIVES = {"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short",
              "I": "int", "J": "long"}
CODES = {4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}
ROOTS = {0xff: (1, 0), 0x01: (2, 0), 0x02: (1, 8), 0x03: (1, 8), 0x04: (1, 4), 0x05: (1, 0),
         0x06: (1, 4), 0x07: (1, 0), 0x08: (1, 8), 0x89: (1, 0), 0x8a: (1, 0), 0x8b: (1, 0),
         0x8c: (1, 0), 0x8d: (1, 0), 0x90: (1, 0), 0x8e: (1, 8), 0xfe: (1, 4)}

FORMS = {code: struct.Struct(">" + code) for code in "BHIQi"}


@functools.lru_cache(maxsize=None)
def leaf_of(name):
    if name is None:
        return "Heap#(unknown)#(unknown)"
    depth = len(name) - len(name.lstrip("["))
    element, package = name[depth:], None
    if depth and element in PRIMITIVES:
        element, package = PRIMITIVES[element], "(primitive)"
    elif depth:
        element = element[1:-1]
    if package is None:
        hidden = ""
        for mark in ("+0x", "/0x"):
            if mark in element:
                element, _, number = element.partition(mark)
                hidden = "/0x" + number
        package, _, element = element.replace("/", ".").rpartition(".")
        element += hidden
    return f"Heap#{package or '(default)'}#{element}{'[]' * depth}"


class Dump:
    def __init__(self, data):
        self.data = data
        self.at = data.index(b"\0") + 1
        self.id_size = self.take("I")
        self.time = self.take("Q")
        self.strings, self.names, self.classes = {}, {}, {}
        self.instances, self.arrays, self.primitives = [], [], []
        while self.at + 9 <= len(data):
            tag, _, length = self.take("B"), self.take("I"), self.take("I")
            end = self.at + length
            if tag == 0x01:
                key = self.id()
                self.strings[key] = data[self.at:end].decode("utf-8", "replace")
            elif tag == 0x02:
                self.take("I")
                key = self.id()
                self.take("I")
                self.names[key] = self.id()
            elif tag in (0x0c, 0x1c):
                if length == 0 and self.at < len(data) and data[self.at] not in (0x1c, 0x2c):
                    end = len(data)  # whoever wrote it was stopped
                while self.at < end:
                    self.heap_record()
            self.at = end

    def take(self, code):
        form = FORMS[code]
        value, = form.unpack_from(self.data, self.at)
        self.at += form.size
        return value

    def id(self):
        begin = self.at
        self.at += self.id_size
        return int.from_bytes(self.data[begin:self.at], "big")

    def value(self, kind):
        if kind == 2:
            return self.id()
        self.at += WIDTHS[kind]
        return 0

    def heap_record(self):
        tag = self.take("B")
        if tag == 0x20:
            key, _, above = self.id(), self.take("I"), self.id()
            references = [self.id() for _ in range(3)] + [above]  # loader, signers, protection domain
            self.id(), self.id(), self.take("I")
            for _ in range(self.take("H")):
                self.take("H")
                references.append(self.value(self.take("B")))
            for _ in range(self.take("H")):
                self.id()
                references.append(self.value(self.take("B")))
            fields = []
            for _ in range(self.take("H")):
                self.id()
                fields.append(self.take("B"))
            self.classes[key] = (above, references, fields)
        elif tag == 0x21:
            key, _, kind, size = self.id(), self.take("I"), self.id(), self.take("I")
            self.instances.append((key, kind, self.at))
            self.at += size
        elif tag == 0x22:
            key, _, count, kind = self.id(), self.take("I"), self.take("I"), self.id()
            self.arrays.append((key, kind, [self.id() for _ in range(count)]))
        elif tag in (0x23, 0xc3):
            key, _, count, kind = self.id(), self.take("I"), self.take("I"), self.take("B")
            self.primitives.append((key, kind))
            self.at += count * WIDTHS[kind] if tag == 0x23 else 0
        else:
            ids, size = ROOTS[tag]
            self.at += ids * self.id_size + size

    def leaf(self, kind):
        return leaf_of(self.strings.get(self.names.get(kind)))

    def references_of(self, kind, at):
        """The reference fields of an instance: own ones, then the superclass's."""
        while kind in self.classes:
            above, _, fields = self.classes[kind]
            for field in fields:
                self.at = at
                if field == 2:
                    yield self.id()
                at += self.id_size if field == 2 else WIDTHS[field]
            kind = above

    def objects(self):
        """Every object's id, leaf and references."""
        for key, (_, references, _) in self.classes.items():
            yield key, "Heap#java.lang#Class", references
        for key, kind, at in self.instances:
            yield key, self.leaf(kind), list(self.references_of(kind, at))
        for key, kind, references in self.arrays:
            yield key, self.leaf(kind), references
        for key, kind in self.primitives:
            yield key, leaf_of(CODES[kind]), []


def count(dump):
    leaves, objects = {}, collections.Counter()
    for key, leaf, _ in dump.objects():
        leaves[key] = leaf
        objects[leaf] += 1
    targets, sources = collections.defaultdict(set), collections.Counter()
    for _, leaf, references in dump.objects():
        there = {reference for reference in references if reference in leaves}
        for target in {leaves[reference] for reference in there}:
            sources[leaf, target] += 1
        for reference in there:
            targets[leaf, leaves[reference]].add(reference)
    return objects, {pair: len(found) for pair, found in targets.items()}, dict(sources)


def read_export(folder):
    leaves = {}

    def walk(node):
        if not node.get("children"):
            leaves[node["key"]] = (node["objects"], node["bytes"])
        for child in node.get("children", []):
            walk(child)

    path, = glob.glob(f"{folder}/default-format/*.json")
    with open(path) as file:
        step = json.load(file)
    walk(step["root"])
    maps = []
    for name in ("points-to-maps", "pointed-from-maps"):
        path, = glob.glob(f"{folder}/default-format/{name}/*.json")
        with open(path) as file:
            entries = json.load(file)["pointerMap"] or {}
        maps.append({(outer, inner): number for outer, inner_map in entries.items()
                     for inner, number in inner_map.items()})
    return step["time"], leaves, maps[0], {(a, b): n for (b, a), n in maps[1].items()}


def compare(what, expected, found):
    wrong = [(key, expected.get(key), found.get(key)) for key in sorted(set(expected) | set(found))
             if expected.get(key) != found.get(key)]
    for key, right, got in wrong[:10]:
        print(f"{what}: {key}: expected {right}, found {got}")
    return not wrong


def main():
    path, folder = sys.argv[1:3]
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        dump = Dump(file.read())
    time, leaves, points_to, pointed_from = read_export(folder)
    objects, expected_to, expected_from = count(dump)
    is_right = compare("time", {"": dump.time}, {"": time})
    is_right &= compare("objects", objects, {key: value[0] for key, value in leaves.items()})
    is_right &= compare("points_to", expected_to, points_to)
    is_right &= compare("pointed_from", expected_from, pointed_from)
    print(f"{path}: {sum(objects.values())} objects, {len(expected_to)} pairs: "
          f"{'equal' if is_right else 'DIFFERENT'}")
    sys.exit(not is_right)


if __name__ == "__main__":
    main()
