#!/usr/bin/env python3
"""Compares two folders of JSON steps and pointer maps by content: compare_json.py FOLDER FOLDER.

The order of fields and of siblings doesn't count. Says what differs; the exit code is 1 then.
"""
import gc
import json
import os
import sys

sys.setrecursionlimit(100000)


def by_key(node):
    children = {child["key"]: by_key(child) for child in node.get("children", [])}
    assert len(children) == len(node.get("children", [])), "two siblings with one key"
    return {**node, "children": children}


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def differ(left, right):
    if left == right:
        return False
    for document in (left, right):  # equal but for the order of siblings?
        if "root" in document:
            document["root"] = by_key(document["root"])
        if "pointerMap" in document:
            document["pointerMap"] = document["pointerMap"] or {}
    return left != right


def list_files(folder):
    return sorted(os.path.relpath(os.path.join(parent, name), folder)
                  for parent, _, names in os.walk(folder) for name in names
                  if name.endswith(".json"))


def main():
    left, right = sys.argv[1:3]
    names = list_files(left)
    if names != list_files(right):
        sys.exit(f"other files: {sorted(set(names) ^ set(list_files(right)))[:5]}")
    gc.disable()  # documents hold no cycles
    wrong = [name for name in names
             if differ(load(os.path.join(left, name)), load(os.path.join(right, name)))]
    if wrong or not names:
        sys.exit(f"{len(wrong)} of {len(names)} files differ: {wrong[:5]}")


main()
