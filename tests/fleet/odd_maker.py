#!/usr/bin/env python3
"""Writes a trace with odd names and numbers as JSON steps: odd_maker.py FOLDER [--short].

With --short, real numbers have few digits.
"""
import json
import os
import random
import sys

NAMES = ["plain", "", " ", " both ", "tab\there", "line\nbreak", "carriage\rreturn", "both\r\nof them", "\t", "\n", "\\", "\\\\",
         "\\N", "\\t", "\\n", "\\.", "ends in \\", '"', '""', '"quoted"', "'", "it's", "a,b", ",", ";", "NULL", "null", "0", "-1",
         "1.5", "1e9", "2024-05-01", "true", "=1+1", "@x", "a#b", "[x]", "a[2]", "{a}", "$1", "%s", "`a`", "\x01\x02\x7f",
         "\b\f\v", "\u00e4\u00f6\u00fc\u00df", "\u65e5\u672c\u8a9e", "\U0001f3d9\ufe0f city", "e\u0301", "\u202eabc",
         "\u200b", "\ufeff", "\ufffd", "\u2028", "x" * 3000]


def make_real(chance):
    return chance.randrange(1000) / 8 if "--short" in sys.argv else chance.random() * 10 ** chance.randrange(-9, 9)


def counts(chance):
    objects = chance.choice([0, 1, 7, chance.randrange(1 << 20), 1 << 40])
    return {"objects": objects, "bytes": objects * 8,
            "metrics": {"lines": chance.randrange(1 << 30), "share": make_real(chance)}}


def make_step(time, seed):
    chance = random.Random(seed)
    packages = []
    for i, package in enumerate(NAMES):
        key = f"Overall#{package}"
        children = [{"key": f"{key}#{name}", "name": name, "role": "Data Structure", **counts(chance), "children": []}
                    for name in chance.sample(NAMES, 5)]
        if (i + seed) % 7 == 0:  # a leaf at some times, a group at others
            packages.append({"key": key, "name": package, "role": "Gr\u00f6\u00dfe", **counts(chance), "children": []})
            continue
        packages.append({"key": key, "name": package, "role": "Gr\u00f6\u00dfe", "children": children, **counts(chance)})
        for what in ("objects", "bytes"):
            packages[-1][what] = sum(child[what] for child in children)
    root = {"key": "Overall", "name": "Overall", "role": "", "children": packages,
            "objects": sum(p["objects"] for p in packages), "bytes": sum(p["bytes"] for p in packages)}
    for node in [root] + [p for p in packages if p["children"]]:
        node.pop("metrics", None)
    return {"time": time, "root": root,
            "metrics": [{"name": "lines", "unit": "count", "kind": "stock", "additive": True},
                        {"name": "share", "unit": "none", "kind": "stock", "additive": True}]}


def main():
    folder = sys.argv[1]
    os.makedirs(folder + "/points-to-maps")
    os.makedirs(folder + "/pointed-from-maps")
    for i, time in enumerate((0, 1700000000000, 1700000060000)):
        step = make_step(time, i)
        leaves = [leaf["key"] for package in step["root"]["children"]
                  for leaf in package["children"] or [package]]
        chance = random.Random(i)
        links = {a: {b: chance.randrange(1, 100) for b in chance.sample(leaves, 4)} for a in chance.sample(leaves, 60)}
        back = {}
        for a, targets in links.items():
            for b in targets:
                back.setdefault(b, {})[a] = chance.randrange(1, 100)
        for name, document in (("", step), ("points-to-maps/", {"time": time, "pointerMap": links}),
                               ("pointed-from-maps/", {"time": time, "pointerMap": back})):
            with open(f"{folder}/{name}{i}.json", "w", encoding="utf-8") as file:
                json.dump(document, file)


main()
