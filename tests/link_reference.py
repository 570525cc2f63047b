#!/usr/bin/env python3
"""What `memcity link --json` has to say, from the rows of both traces: a slow join by names.

link_reference.py make HEAP METHODS SEED: makes rows of a heap with sites, and of methods
link_reference.py check LINK.json HEAP.rows METHODS.rows [TOLERANCE]: compares; the rows are those of `memcity export
--rows`. The tolerance is of times in the frame: threads that ran for longer than a step make it longer.
"""
import collections
import json
import math
import random
import sys


def read_rows(path):
    """Per time rows of (names by classifier, numbers by metric)."""
    with open(path, encoding="utf-8") as file:
        header = file.readline().rstrip("\n").split("\t")
        steps = collections.OrderedDict()
        for line in file:
            names, numbers = collections.defaultdict(list), {}
            fields = line.rstrip("\n").split("\t")
            for title, field in zip(header, fields):
                title = title.split("[")[0]
                if title in ("objects", "bytes", "allocated", "variance"):
                    numbers[title] = float(field)
                elif title == "time" and "when" not in numbers:
                    numbers["when"] = int(field)
                elif title == "time":
                    numbers["time"] = float(field)
                elif field != "\\N":
                    names[title].append(field)
            steps.setdefault(numbers["when"], []).append((names, numbers))
    return steps


def get_method(names):
    return ".".join(names["Package"] + names["Class"] + [names["Method"][0].split("(")[0]])


def get_class(names):
    kind = names["Class"] or names["Type"]
    return ".".join(names["Package"] + [kind[0].split("[]")[0]]) if kind else None


def get_frames(names):
    return [frame.split("(")[0] for frame in names["Site"] + names["Caller"]]


def key_of(names, kinds, root):
    return "#".join([root] + [name for kind in kinds for name in names[kind]])


def close(a, b, tolerance=1e-6):
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-9)


def nearest(times, when):
    return min(range(len(times)), key=lambda i: (abs(times[i] - when), i))


FRAME = 1000


def read_times(methods, step):
    """Per method its time in the frame before the step, and in all steps up to it."""
    times = list(methods)
    now, so_far = collections.Counter(), collections.Counter()
    for i in range(step + 1):
        part = 1.0 if times[i] > times[step] - FRAME else 0.0
        if i > 0:
            begin = max(times[i - 1], times[step] - FRAME)
            part = max(0.0, (times[i] - begin) / (times[i] - times[i - 1]))
        for names, numbers in methods[times[i]]:
            if not names["Method"]:
                continue
            so_far[key_of(names, ["Package", "Class", "Method"], "Program")] += numbers["time"]
            now[key_of(names, ["Package", "Class", "Method"], "Program")] += part * numbers["time"]
    return now, so_far


def check(path, heap_path, methods_path, tolerance="1e-6"):
    tolerance = float(tolerance)
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    heap, methods = read_rows(heap_path), read_rows(methods_path)
    when = list(heap)[told["heap_step"]]
    step = nearest(list(methods), when)
    assert step == told["method_step"], (step, told["method_step"])
    by_site = any(names["Site"] for rows in heap.values() for names, _ in rows)
    assert told["by"] == ("site" if by_site else "class"), told["by"]
    name = get_method if by_site else get_class
    owners = collections.defaultdict(set)  # keys of methods
    for rows in methods.values():
        for names, _ in rows:
            if names["Method"]:
                owners[name(names)].add(key_of(names, ["Package", "Class", "Method"], "Program"))
    now, so_far = read_times(methods, step)
    kinds = ["Type", "Site"] if by_site else ["Package", "Type"]
    leaves = []  # key, owner, is direct, objects, bytes
    for names, numbers in heap[when]:
        if not names["Type"]:
            continue
        owner, direct = None, False
        if by_site:
            for depth, frame in enumerate(get_frames(names)):
                if frame in owners:
                    owner, direct = frame, depth == 0
                    break
        elif get_class(names) in owners:
            owner = get_class(names)
        leaves.append((key_of(names, kinds, "Heap"), owner, direct, numbers["objects"], numbers["bytes"]))
    leaves = [leaf for leaf in leaves if leaf[3] or leaf[4]]
    if "of" in told:
        check_methods(told, leaves, owners, now, so_far, by_site, tolerance)
    else:
        check_groups(told, leaves, owners, now, so_far, by_site, tolerance)


def is_below(key, above):
    return key == above or key.startswith(above + "#")


def check_methods(told, leaves, owners, now, so_far, by_site, tolerance):
    inside = [leaf for leaf in leaves if is_below(leaf[0], told["of"])]
    assert close(told["bytes"], sum(leaf[4] for leaf in inside if leaf[1]))
    assert close(told["unlinked_bytes"], sum(leaf[4] for leaf in inside if not leaf[1]))
    assert close(told["unlinked_objects"], sum(leaf[3] for leaf in inside if not leaf[1]))
    wanted = {}
    for owner in {leaf[1] for leaf in inside if leaf[1]}:
        own = [leaf for leaf in inside if leaf[1] == owner]
        row = {"objects": sum(leaf[3] for leaf in own), "bytes": sum(leaf[4] for leaf in own)}
        if by_site:
            row["direct_bytes"] = sum(leaf[4] for leaf in own if leaf[2])
            row["whole_bytes"] = sum(leaf[4] for leaf in leaves if leaf[1] == owner)
        groups = [owners[owner]] if by_site else [{key} for key in owners[owner]]
        for keys in groups:
            times = {"time": sum(now[key] for key in keys) / max(sum(now.values()), 1e-300),
                     "time_so_far": sum(so_far[key] for key in keys) / max(sum(so_far.values()), 1e-300),
                     "namesakes": len(keys) - 1}
            wanted[min(keys)] = (keys, {**row, **times})
    assert len(wanted) == len(told["methods"]), (sorted(wanted), [row["key"] for row in told["methods"]])
    for row in told["methods"]:
        keys, numbers = next(pair for pair in wanted.values() if row["key"] in pair[0])
        for what, number in numbers.items():
            assert close(row[what], number, tolerance if what == "time" else 1e-6), (row["key"], what, row[what], number)
    order = [row["bytes" if by_site else "time_so_far"] for row in told["methods"]]
    assert order == sorted(order, reverse=True), order


def check_groups(told, leaves, owners, now, so_far, by_site, tolerance):
    chosen = {owner for owner, keys in owners.items() if any(is_below(key, told["method"]) for key in keys)}
    below = {key for keys in owners.values() for key in keys if is_below(key, told["method"])}
    assert close(told["time"], sum(now[key] for key in below) / max(sum(now.values()), 1e-300), tolerance)
    assert close(told["time_so_far"], sum(so_far[key] for key in below) / max(sum(so_far.values()), 1e-300))
    wanted = {}
    for key, owner, direct, objects, size in leaves:
        if owner not in chosen:
            continue
        row = wanted.setdefault(key, {"objects": 0, "bytes": 0, "direct_bytes": 0, "whole_bytes": 0})
        row["objects"] += objects
        row["bytes"] += size
        row["direct_bytes"] += size if direct else 0
    for key, row in wanted.items():
        row["whole_bytes"] = sum(leaf[4] for leaf in leaves if leaf[0] == key)
    assert {row["key"] for row in told["groups"]} == set(wanted), (told["groups"], sorted(wanted))
    for row in told["groups"]:
        for what in ["objects", "bytes", "whole_bytes"] + (["direct_bytes"] if by_site else []):
            assert close(row[what], wanted[row["key"]][what]), (row["key"], what)
    assert close(told["bytes"], sum(row["bytes"] for row in wanted.values()))


def make(heap_path, methods_path, seed):
    """Methods of some classes, overloads among them; sites whose frames they know, or don't."""
    chance = random.Random(seed)
    classes = [("com", "acme", "shop", "Shop"), ("com", "acme", "shop", "Cart$Item"), ("com", "acme", "", "Main"),
               ("org", "", "", "Tool"), ("", "", "", "Plain")]
    known = [(path, method) for path in classes for method in
             ("add(int)", "add(String, int)", "<init>()", "run()", "lambda$run$0()") if chance.random() < 0.7]
    frames = [(".".join([part for part in path if part] + [method.split("(")[0]])) for path, method in known]
    frames += ["java.util.HashMap.put", "java.util.Arrays.copyOf", "com.acme.shop.Shop.gone", "com.acme.shop.add"]
    with open(heap_path, "w", encoding="utf-8") as out:
        out.write("time\tType\tSite\tCaller\tCaller[2]\tThread\tobjects\tbytes\n")
        for step in range(6):
            rows = {}
            for _ in range(60):
                depth = chance.randint(1, 3)
                path = [f"{chance.choice(frames)}(X.java:{chance.randint(1, 3)})" for _ in range(depth)]
                path += ["\\N"] * (3 - depth)
                rows[(chance.choice(["byte[]", "com.acme.shop.Shop", "int[][]"]), *path, chance.choice(["main", "w"]))] = \
                    (chance.randint(0, 9), chance.randint(1, 1 << 20))
            for names, numbers in rows.items():
                out.write("\t".join([str(1000000 + 700 * step), *names, *map(str, numbers)]) + "\n")
    with open(methods_path, "w", encoding="utf-8") as out:
        out.write("time\troot\tPackage\tPackage[2]\tPackage[3]\tClass\tMethod\tThread\tobjects\tbytes\t"
                  "time[time flow additive real]\n")
        for step in range(40):
            for path, method in known:
                for thread in ("main", "w"):
                    packages = [part or "\\N" for part in path[:3]]
                    out.write("\t".join([str(1000100 + 130 * step), "Program", *packages, path[3], method, thread, "0", "0",
                                         f"{chance.uniform(0, 4):.6f}"]) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        check(*sys.argv[2:])
