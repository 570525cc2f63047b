#!/usr/bin/env python3
"""A client that follows `memcity serve --follow` by differences, made from docs/reference/serve.md. Standard library only.

usage: follow_client.py MEMCITY TRACE PORT FOLDER   (memcity listen -o TRACE at PORT; FOLDER for messages to it)
"""
import json
import pathlib
import random
import struct
import subprocess
import sys
import zlib

from serve_client import Server, Socket, check, failures

PUSH = pathlib.Path(__file__).resolve().parent.parent / "live/push.py"
PACKAGES, TYPES = 40, 50


def take_version(data, had, sign):
    data.send(b"%d%s" % (had, sign))
    head = json.loads(data.take()[1])
    packed = b""
    while len(packed) < head["data"]:
        packed += data.take()[1]
    return head, packed, zlib.decompress(packed, -15)


def read_columns(raw):
    end = 4 + struct.unpack("<I", raw[:4])[0]
    facts, columns = json.loads(raw[4:end]), []
    for name, planes, count in facts["columns"]:
        columns.append((name, [raw[end + k * count:end + (k + 1) * count] for k in range(planes)], count))
        end += planes * count
    return facts, columns


def count_bits(bits, rows, row):
    return sum(byte.bit_count() for byte in bits[row::rows])


def add_delta(old, delta):
    end = 4 + struct.unpack("<I", delta[:4])[0]
    before, now = read_columns(old)[1], json.loads(delta[4:end])["columns"]
    whole, at, kinds, bits = delta[:end], end, [], None
    for i, (name, planes, count) in enumerate(now):
        kind, at = delta[at], at + 1
        kinds.append((name, kind))
        _, had, had_count = before[i]
        if kind == 0:
            column = b"".join(had)
        elif kind == 2:
            rows, came = before[i - 2][2], count - had_count
            more = [delta[at + k * came:at + (k + 1) * came] for k in range(planes)]
            at += planes * came
            column = b""
            for plane in range(planes):
                kept = new = 0
                part = bytearray()
                for row in range(rows):
                    old_count, new_count = count_bits(before[i - 1][1][0] if before[i - 1][1] else b"", rows, row), count_bits(bits, rows, row)
                    part += had[plane][kept:kept + old_count] if plane < len(had) else bytes(old_count)
                    part += more[plane][new:new + new_count - old_count]
                    kept, new = kept + old_count, new + new_count - old_count
                column += bytes(part)
        else:
            column, at = delta[at:at + planes * count], at + planes * count
            if kind == 1:
                filled = b"".join((had[k] if k < len(had) else b"")[:count].ljust(count, b"\0") for k in range(planes))
                column = bytes(a ^ b for a, b in zip(column, filled))
        check(len(column) == planes * count, f"{name} is {len(column)} bytes")
        whole, bits = whole + column, column
    check(at == len(delta), f"{len(delta) - at} bytes too many")
    return whole, dict(kinds)


def make_message(path, time, sizes):
    root = {"key": "Heap", "name": "Heap", "role": "", "children": []}
    for package, types in sizes.items():
        children = [{"key": f"{package}/{name}", "name": name, "role": "Type", "bytes": size * 100, "objects": size} for name, size in types.items()]
        root["children"].append({"key": package, "name": package, "role": "Package", "bytes": sum(c["bytes"] for c in children),
                                 "objects": sum(c["objects"] for c in children), "children": children})
    root.update(bytes=sum(c["bytes"] for c in root["children"]), objects=sum(c["objects"] for c in root["children"]))
    path.write_text(json.dumps({"time": time, "root": root}))
    return path


def main():
    random.seed(3)
    port, folder = sys.argv[3], pathlib.Path(sys.argv[4])
    sizes = {f"p{p}": {f"Type{p}x{t}": random.randrange(1, 5000) for t in range(TYPES)} for p in range(PACKAGES)}
    time = 0

    def push(change):
        nonlocal time
        time += 1000
        now = {package: dict(types) for package, types in sizes.items()}
        change(now)
        subprocess.run([sys.executable, PUSH, port, make_message(folder / f"{time}.json", time, now)], check=True, stdout=subprocess.DEVNULL)

    def shrink(now):  # below what they were: every plot stays
        for types in now.values():
            for name in random.sample(list(types), 3):
                types[name] = random.randrange(types[name]) + 1

    def grow(now):
        now["p3"]["Type3x7"] *= 3

    def come(now):
        now["p3"]["New"] = 70

    push(lambda now: None)
    server = Server("--follow")
    try:
        data = Socket(server)
        head, packed, raw = take_version(data, 0, b"+")
        check("delta" not in head, "a difference from nothing")
        for change in [shrink] * 9 + [grow, shrink, come, shrink]:  # more than eight bits of changes
            push(change)
            version, whole_size = head["version"], len(packed)
            head, packed, part = take_version(data, version, b"+")
            whole_head, whole, wanted = take_version(Socket(server), version, b"")
            check(head["version"] == whole_head["version"] == version + 1 and "delta" not in whole_head, f"{head} {whole_head}")
            check(head.get("delta", False) == (change != come), f"{change.__name__}: {head}")
            if change == come:
                raw = part
                check(raw == wanted, "not all of it")
                continue
            raw, kinds = add_delta(raw, part)
            check(raw == wanted, f"{change.__name__}: other bytes than all of it: {kinds}")
            check(change != shrink or len(packed) * 5 < len(whole), f"{len(packed)} bytes, all of it is {len(whole)}")
            check(change != shrink or kinds["change"] == 2 and kinds["x"] == kinds["text"] == 0, f"{kinds}")
            print(change.__name__, len(packed), len(whole))
        # Who missed a version is sent all.
        late, _, part = take_version(Socket(server), head["version"] - 2, b"+")
        check("delta" not in late and part == raw, f"{late}")
        check(server.process.poll() is None, "it ended")
    finally:
        server.process.terminate()
        server.process.wait(20)
    sys.exit(1 if failures else 0)


main()
