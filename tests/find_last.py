#!/usr/bin/env python3
"""What `memcity top --json` says of the groups of a type: the sum of a figure (last).

usage: find_last.py FILE TYPE [FIGURE]
"""
import json
import sys

figure = sys.argv[3] if len(sys.argv) > 3 else "last"
rows = json.load(open(sys.argv[1], encoding="utf-8"))
print(sum(int(row[figure]) for row in rows if sys.argv[2] in row["key"].split("#") or sys.argv[2] in row["key"]))
