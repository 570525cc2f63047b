#!/usr/bin/env python3
"""How old a live picture of methods is: a program that exists only as its agent's protocol, recorded and followed in a window.

usage: live_methods.py BUILD_FOLDER [--methods N] [--busy N] [--threads N] [--seconds S] [--every MS] [--size WxH]

Each 50 ms a batch says that some of the methods ran (docs/reference/agent-protocol.md). Printed, as one JSON object: the ages of
the oldest of what each step showed when it was drawn (`print latency`), and how many steps were shown of how many. Needs a
display; all is named in packages of 25 classes of 20 methods.
"""
import argparse
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

HELLO, CLASS, METHOD, THREAD, TIME, BYE = 1, 2, 3, 4, 6, 11
BATCH_S = 0.05


def text(string):
    data = string.encode()
    return struct.pack("<H", len(data)) + data


def frame(kind, payload):
    return struct.pack("<IB", len(payload) + 1, kind) + payload


def greeting():
    return frame(HELLO, struct.pack("<HIqQ", 1, os.getpid(), time.time_ns() // 1000000, time.monotonic_ns())
                 + text("Sender 1.0") + text("methods") + struct.pack("<I", 2))


def names(methods, threads):
    parts = []
    for number in range(methods):
        if number % 20 == 0:
            owner = number // 20 + 1
            parts.append(frame(CLASS, struct.pack("<I", owner) + text(f"com.acme.p{owner // 25}.Class{owner}") + struct.pack("<I", 1)))
        parts.append(frame(METHOD, struct.pack("<II", number + 1, number // 20 + 1) + text(f"method{number}") + text("()V") + b"\0"
                           + text("")))
    return b"".join(parts) + b"".join(frame(THREAD, struct.pack("<I", i + 1) + text(f"worker {i}")) for i in range(threads))


def batch(begin_ns, end_ns, rows):
    head = struct.pack("<QQBI", begin_ns, end_ns, 1, len(rows))
    return frame(TIME, head + b"".join(struct.pack("<IIQQ", *row) for row in rows))


def rows_of(methods, threads, duration_ns):
    """Each thread divides its time among its own methods, unevenly; so no new groups come after the first batch."""
    rows = []
    for thread in range(threads):
        own = [m for m in methods if m % threads == thread]
        weights = [random.random() ** 3 for _ in own]
        total = sum(weights) or 1
        rows += [(m + 1, thread + 1, int(duration_ns * w / total), 1 + int(w * 100)) for m, w in zip(own, weights)]
    return rows


def send(peer, wished):
    everything = list(range(wished.methods))
    peer.sendall(greeting() + names(wished.methods, wished.threads))
    begin, end_s = time.monotonic_ns(), time.monotonic() + wished.seconds
    first, due = True, time.monotonic()
    while time.monotonic() < end_s:
        due += BATCH_S
        time.sleep(max(due - time.monotonic(), 0))
        ran = everything if first else random.sample(everything, min(wished.busy, wished.methods))
        end = time.monotonic_ns()
        rows = rows_of(ran, wished.threads, end - begin)
        for at in range(0, max(len(rows), 1), 16384):  # a frame has at most as many
            peer.sendall(batch(begin, end, rows[at:at + 16384]))
        begin, first = end, False


def measure(program, folder, wished):
    path, trace = f"{folder}/socket", f"{folder}/live.mct"
    recorder = subprocess.Popen([program, "attach", "--listen", path, "--methods", "exact", "--every", f"{wished.every}ms", "--quiet",
                                 "-o", trace])
    while not os.path.exists(path):
        time.sleep(0.01)
    script = pathlib.Path(folder, "script")
    steps = int(wished.seconds * 500 / max(wished.every, 1000 * BATCH_S))  # some are lost where it can't keep up
    script.write_text(f"wait steps {steps}\nprint latency\nquit\n")
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(path)
        window = subprocess.Popen([program, "view", trace, "--follow", "--size", wished.size, "--script", str(script)],
                                  stdout=subprocess.PIPE, text=True)
        send(peer, wished)
        peer.sendall(frame(BYE, text("done")))
        try:
            said = window.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            sys.exit("the window has not seen enough steps: it could not keep up")
        finally:
            window.kill()
    recorder.wait()
    return json.loads(said), steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--methods", type=int, default=20000)
    parser.add_argument("--busy", type=int, default=2000, help="that run in a batch")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--size", default="1280x800")
    wished = parser.parse_args()
    random.seed(1)
    program = str(pathlib.Path(wished.build).resolve() / "memcity")
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        latency, steps = measure(program, folder, wished)
    print(json.dumps({"benchmark": "live_methods", "methods": wished.methods, "busy": wished.busy, "every_ms": wished.every,
                      "steps": steps, "latency": latency}))


main()
