#!/usr/bin/env python3
"""Compares what a program says it spent with what the agent told.

usage: compare_times.py PROGRAM VIEWER CALLS|LEAST|SOME|DISTANCE

PROGRAM has lines "THREAD METHOD MS CALLS", VIEWER what viewer.py prints. The first difference fails:
CALLS: as many calls. LEAST: no less time, as the agent's clock runs from before the program looks at its own to after that.
SOME: some time of whatever took more than a few samples. DISTANCE prints instead how far the time of each is off, in ms and percent.
"""
import sys

FEW_MS = 100


def read(path, skipped):
    rows = {}
    for line in open(path):
        words = line.split()
        if len(words) == 4 + skipped and (not skipped or words[0] == "time"):
            thread, method, ms, calls = words[skipped:]
            rows[thread, method.replace("$", ".")] = float(ms), int(calls)
    return rows


def main():
    said, told = read(sys.argv[1], 0), read(sys.argv[2], 1)
    what = sys.argv[3]
    assert said, "the program said nothing"
    for key, (ms, calls) in sorted(said.items()):
        told_ms, told_calls = told.get(key, (0, 0))
        if what == "CALLS" and calls != told_calls:
            sys.exit(f"{key}: {told_calls} calls, not {calls}")
        if what == "LEAST" and told_ms < ms - 0.01:
            sys.exit(f"{key}: {told_ms} ms, less than {ms}")
        if what == "SOME" and ms > FEW_MS and told_ms <= 0:
            sys.exit(f"{key}: nothing of {ms} ms")
        if what == "DISTANCE" and ms > FEW_MS:
            print(*key, f"{told_ms - ms:+.1f} ms {100 * (told_ms / ms - 1):+.1f} %")


main()
