#!/usr/bin/env python3
"""Reads a heap dump of Go slowly, with the names that nm has of its program, and compares what memcity says of it: every object,
every reference and every root.

usage: go_reference.py MEMCITY DUMP PROGRAM      (exit code 1 if anything differs)
"""
import bisect
import collections
import os
import subprocess
import sys


def read(path):
    data = open(path, "rb").read()
    at = len(b"go1.7 heap dump\n")
    assert data[:at] == b"go1.7 heap dump\n"

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text():
        nonlocal at
        size = number()
        at += size
        assert at <= len(data)
        return data[at - size:at]

    def fields():
        found = []
        while number() == 1:
            found.append(number())
        return found

    def numbers(count):
        return [number() for _ in range(count)]

    records = []
    while True:
        tag = number()
        if tag == 0:
            return records
        if tag in (1, 12, 13):
            record = {"address": number(), "contents": text(), "fields": fields()}
        elif tag == 2:
            record = {"name": text(), "pointer": number()}
        elif tag == 3:
            record = {"skipped": (number(), number(), text(), number())}
        elif tag == 4:
            head, reason, tail = numbers(8), text(), numbers(4)
            record = {"address": head[0], "id": head[2], "creation": head[3], "status": head[4], "reason": reason.decode(),
                      "pointers": [tail[0], tail[2], tail[3]]}
        elif tag == 5:
            numbers(3)
            record = {"contents": text(), "entry": numbers(3)[0], "name": text().decode(), "fields": fields()}
        elif tag == 6:
            assert numbers(4)[:2] == [0, 8]
            record = {"skipped": (text(), text(), number())}
        elif tag in (7, 11):
            record = {"numbers": numbers(5)}
        elif tag in (8, 9, 10):
            record = {"skipped": numbers({8: 2, 9: 3, 10: 281}[tag])}
        elif tag in (14, 15):
            values = numbers(7 if tag == 14 else 6)
            record = {"pointers": [values[0], values[4 if tag == 14 else 3]]}
        elif tag == 16:
            key, _ = numbers(2)
            record = {"id": key, "stack": [(text().decode(), text().decode(), number()) for _ in range(number())], "skipped": numbers(2)}
        else:
            assert tag == 17
            record = {"object": number(), "bucket": number()}
        record["tag"] = tag
        records.append(record)


def word(contents, offset):
    return int.from_bytes(contents[offset:offset + 8], "little")


class Names:
    """What nm has of a program."""

    def __init__(self, program):
        self.sorts = {kind: [] for kind in ("variables", "functions")}
        for line in subprocess.run(["nm", "-S", "-n", program], capture_output=True, text=True, check=True).stdout.splitlines():
            parts = line.split(None, 3)
            if len(parts) == 4 and len(parts[1]) == 16 and parts[2] in "bBdDtT":
                self.sorts["functions" if parts[2] in "tT" else "variables"].append((int(parts[0], 16), int(parts[1], 16), parts[3]))

    def find(self, sort, address, otherwise=None):
        at = bisect.bisect_right(self.sorts[sort], (address, 1 << 62, "")) - 1
        begin, size, name = self.sorts[sort][at]
        return name if address < begin + size else otherwise


def main():
    memcity, dump, program = sys.argv[1:]
    records, names = read(dump), Names(program)
    objects = {r["address"]: r for r in records if r["tag"] == 1}
    addresses = sorted(objects)

    def find(pointer):
        at = bisect.bisect_right(addresses, pointer) - 1
        if at < 0 or pointer >= addresses[at] + len(objects[addresses[at]]["contents"]):
            return None
        return addresses[at]

    references, roots = collections.Counter(), set()
    for address, r in objects.items():
        for offset in r["fields"]:
            target = find(word(r["contents"], offset))
            if target is not None:
                references[address, target] += 1

    def add(pointer, kind, name):
        target = find(pointer)
        if target is not None:
            roots.add((target, kind, name))

    frames = collections.defaultdict(list)
    goroutine = None
    for r in records:
        if r["tag"] == 4:
            goroutine = r["address"]
        elif r["tag"] == 5:
            frames[goroutine].append(r["name"])
    for r in records:
        if r["tag"] in (12, 13):
            for offset in r["fields"]:
                otherwise = "%s+0x%x" % ("data" if r["tag"] == 12 else "bss", offset)
                name = names.find("variables", r["address"] + offset, otherwise)
                kind = "VM internal" if name == otherwise or name.startswith("runtime.") else "global"
                add(word(r["contents"], offset), kind, "global " + name)
        elif r["tag"] in (7, 11):
            add(r["numbers"][0], "finalizing", "a finalizer")
            add(r["numbers"][1], "VM", "a finalizer")
        elif r["tag"] == 2:
            add(r["pointer"], "VM", r["name"].decode())
        elif r["tag"] == 4:
            stack = [name for name in frames[r["address"]] if name != "runtime.goexit"]
            creator = names.find("functions", r["creation"] - 1)
            if creator.startswith("runtime."):
                creator = "started in " + stack[-1]
            else:
                creator = "created by " + creator
            words = "goroutine " + creator + (", waits in " + r["reason"] if r["status"] == 4 else "")
            add(r["address"], "thread", words)
            inner = next((name for name in stack if not name.startswith("runtime.")), None)
            is_inner = inner is not None
            for pointer in r["pointers"]:
                add(pointer, "thread stack", "%s (%s)" % (inner, words) if inner else "a " + words)
        elif r["tag"] in (14, 15):
            for pointer in r["pointers"]:
                add(pointer, "thread stack", "%s (%s)" % (inner, words))
        elif r["tag"] == 5:
            is_inner = is_inner and r["name"] != inner
            name = inner if is_inner else r["name"]
            for offset in range(0, len(r["contents"]) - 7, 8):
                add(word(r["contents"], offset), "thread stack", "%s (%s)" % (name, words))
    buckets = {r["id"]: r["stack"] for r in records if r["tag"] == 16}
    sites = {}
    for r in records:
        if r["tag"] != 17 or r["object"] not in objects:
            continue
        own = [frame for frame in buckets[r["bucket"]] if frame[0].startswith("main.") and os.path.basename(frame[1]) == "leak.go"]
        if own:
            sites[r["object"]] = "%s (%s:%d)" % (own[0][0], os.path.basename(own[0][1]), own[0][2])

    out = subprocess.run([memcity, "objects", dump, "--binary", program, "--graph"], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    header, found = [], {"id": {}, "from": collections.Counter(), "root": set()}
    found_sites = {}
    for line in out.stdout.splitlines():
        cells = line.split("\t")
        if line.startswith("#"):
            continue
        if cells[0] in found:
            header = cells
            continue
        row = dict(zip(header, cells))
        if header[0] == "id":
            found["id"][int(row["id"])] = int(row["size"])
            if int(row["id"]) in sites:
                found_sites[int(row["id"])] = row["Site"]
        elif header[0] == "from":
            found["from"][int(row["from"]), int(row["to"])] += 1
        else:
            found["root"].add((int(row["root"]), row["kind"], row["name"]))
    wrong = []
    if found["id"] != {address: len(r["contents"]) for address, r in objects.items()}:
        wrong.append("objects")
    if found["from"] != references:
        wrong.append("references: %s" % list(((references - found["from"]) + (found["from"] - references)).items())[:5])
    if found["root"] != roots:
        wrong.append("roots: %s" % sorted(found["root"] ^ roots)[:6])
    if found_sites != sites:
        wrong.append("sites: %s" % [(a, sites[a], found_sites.get(a)) for a in sites if sites[a] != found_sites.get(a)][:5])
    print("%d objects, %d references, %d roots, %d sites" % (len(objects), sum(references.values()), len(roots), len(sites)))
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
