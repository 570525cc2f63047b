#!/usr/bin/env python3
"""Whether `memcity tree --tsv` prints what d3.partition has laid out.

usage: partition_reference.py cases FILE.tsv.gz            (prints one a line)
       partition_reference.py check FILE.tsv.gz CASE OUTPUT (CASE counts from 0)
       partition_reference.py sums OUTPUT                  (children never exceed their parent, nor overlap)
"""
import gzip
import sys

TOLERANCE = 1e-9


def read_cases(path):
    cases = []
    for line in gzip.open(path, "rt", encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        if fields[0] == "case" and len(fields) == 6:
            cases.append((fields[1:], {}))
        else:
            key, level, low, high = fields
            cases[-1][1][key] = (int(level), float(low), float(high))
    return cases


def read_output(path):
    with open(path, encoding="utf-8") as file:
        head = next(file).rstrip("\n")
        assert head == "key\tother\tlevel\tfrom\tto", head
        for line in file:
            key, other, level, low, high = line.rstrip("\n").split("\t")
            yield key, other, int(level), float(low), float(high)


def check(path, case, output):
    wanted = dict(read_cases(path)[case][1])
    for key, other, level, low, high in read_output(output):
        if low == high:
            assert key not in wanted, f"{key} has no extent"
            continue
        there = wanted.pop(key)
        assert there[0] == level, (key, level, there)
        assert abs(there[1] - low) <= TOLERANCE and abs(there[2] - high) <= TOLERANCE, (key, low, high, there)
    assert not wanted, f"{len(wanted)} are missing: {list(wanted)[:3]}"


def sums(output):
    levels = {}
    for _, _, level, low, high in read_output(output):
        assert 0 <= low <= high <= 1, (low, high)
        levels.setdefault(level, []).append((low, high))
    for spans in levels.values():
        for (_, end), (begin, _) in zip(spans, spans[1:]):
            assert begin >= end, (end, begin)
    # What children explain of the whole is the same where everything is explained.
    for level, spans in levels.items():
        total = sum(high - low for low, high in spans)
        assert total <= 1 + 1e-9, (level, total)
        print(f"{level}\t{total:.9f}")


if sys.argv[1] == "cases":
    for fields, _ in read_cases(sys.argv[2]):
        print(*fields)
elif sys.argv[1] == "check":
    check(sys.argv[2], int(sys.argv[3]), sys.argv[4])
else:
    sums(sys.argv[2])
