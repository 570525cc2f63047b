#!/usr/bin/env python3
"""Compares what a program says it spent with what the agent told.

usage: compare_times.py PROGRAM VIEWER TIMES|CALLS [RATIO_PERCENT MS]

PROGRAM has lines "THREAD METHOD MS CALLS", VIEWER what viewer.py prints. Times may differ by so many percent and ms; calls
may not. Fails with the first difference.
"""
import sys


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
    percent, most_ms = (float(a) for a in sys.argv[4:6]) if what == "TIMES" else (0, 0)
    assert said, "the program said nothing"
    for key, (ms, calls) in sorted(said.items()):
        told_ms, told_calls = told.get(key, (0, 0))
        if what == "CALLS" and calls != told_calls:
            sys.exit(f"{key}: {told_calls} calls, not {calls}")
        if what == "TIMES" and ms > 0 and abs(told_ms - ms) > ms * percent / 100 + most_ms:
            sys.exit(f"{key}: {told_ms} ms, not {ms}")


main()
