#!/usr/bin/env python3
"""An agent of another runtime, as small as can be, made from docs/agent-protocol.md.

usage: sender.py SOCKET SCENE
       sender.py --write FOLDER   (each scene as a file, behind a byte for tests/fuzz/fuzz_agent.c)

SCENE: good       three batches: 10 objects of 100 bytes, then 25, then 5; a collection; goodbye
       slow       the same, a byte at a time
       newer      the same, with types and fields that version 1 does not know
       sampled    10 objects of 100 bytes, whose sum has a variance of 100
       version, unnamed, twice, negative, long, cut, nothing, text: what memcity has to refuse
"""
import pathlib
import socket
import struct
import sys

HELLO, CLASS, METHOD, THREAD, STACK, TIME, ALLOC, GC, LOST, ACK, BYE, COMMAND, NOTE = range(1, 14)


def text(string):
    data = string.encode("utf-8") if isinstance(string, str) else string
    return struct.pack("<H", len(data)) + data


def frame(kind, payload):
    return struct.pack("<IB", len(payload) + 1, kind) + payload


def hello(version=1):
    return frame(HELLO, struct.pack("<HIqQ", version, 4711, 1_700_000_000_000, 1_000_000_000) + text("Tiny 1.0")
                 + text("tiny program") + struct.pack("<I", 1))


def names(extra=b""):
    return b"".join([
        frame(CLASS, struct.pack("<I", 1) + text("com.acme.Order") + struct.pack("<I", 0) + extra),
        frame(CLASS, struct.pack("<I", 2) + text("com.acme.Shop") + struct.pack("<I", 0) + extra),
        frame(METHOD, struct.pack("<II", 1, 2) + text("add") + text("()V") + b"\0" + text("Shop.java") + extra),
        frame(METHOD, struct.pack("<II", 2, 2) + text("main") + text("()V") + b"\2" + text("Shop.java") + extra),
        frame(THREAD, struct.pack("<I", 1) + text("wörker \x1b[31m") + extra),
        frame(STACK, struct.pack("<IH", 1, 2) + struct.pack("<IIII", 1, 42, 2, 7) + extra),
    ])


def batch(ms, objects, allocated=None, stack=1, interval=0, variance=0.0):
    allocated = max(objects, 0) if allocated is None else allocated
    row = struct.pack("<IIIqqQQd", 1, stack, 1, objects, objects * 100, allocated, allocated * 100, variance)
    return frame(ALLOC, struct.pack("<QQI", 1_000_000_000 + ms * 1_000_000, interval, 1) + row)


def empty(ms):
    return frame(ALLOC, struct.pack("<QQI", 1_000_000_000 + ms * 1_000_000, 0, 0))


def collection(ms):
    return frame(GC, struct.pack("<QQQ", 1_000_000_000 + ms * 1_000_000, 2_000_000, 0))


def good(extra=b"", unknown=b""):
    return (hello() + unknown + names(extra) + batch(50, 10) + batch(1500, 15) + unknown + batch(2000, -20) + collection(2001)
            + empty(2050) + frame(NOTE, text("all is well")) + frame(BYE, text("done")))


SCENES = {
    "good": good(),
    "slow": good(),
    "newer": good(b"\1\2\3\4", frame(200, b"what is to come") + frame(14, b"")),
    "sampled": hello() + names() + batch(50, 10, interval=1024, variance=100.0) + frame(BYE, text("done")),
    "version": hello(2),
    "unnamed": hello() + batch(50, 1, stack=1),
    "twice": hello() + names() + frame(CLASS, struct.pack("<I", 1) + text("again") + struct.pack("<I", 0)),
    "negative": hello() + names() + batch(50, -1),
    "long": hello() + struct.pack("<IB", (1 << 20) + 1, ALLOC),
    "cut": hello() + frame(CLASS, struct.pack("<IH", 1, 500) + b"short"),
    "nothing": frame(NOTE, text("no greeting")),
    "text": hello() + frame(CLASS, struct.pack("<I", 1) + text(b"\xff\xfe") + struct.pack("<I", 0)),
}


def write(folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for name, data in SCENES.items():
        (pathlib.Path(folder) / name).write_bytes(b"\7" + data)


def main():
    if sys.argv[1] == "--write":
        write(sys.argv[2])
        return
    data, scene = SCENES[sys.argv[2]], sys.argv[2]
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(sys.argv[1])
        try:
            if scene in ("good", "slow", "newer", "sampled"):  # the greeting is answered by a command: start alloc
                peer.sendall(data[:len(hello())])
                data = data[len(hello()):]
                size, kind, number, verb = struct.unpack("<IBIB", peer.recv(10, socket.MSG_WAITALL))
                assert (kind, number, verb) == (COMMAND, 1, 1), (kind, number, verb)
                mode_size, = struct.unpack("<H", peer.recv(2, socket.MSG_WAITALL))
                assert peer.recv(mode_size, socket.MSG_WAITALL) == b"alloc"
            step = 1 if scene == "slow" else len(data)
            for at in range(0, len(data), step):
                peer.sendall(data[at:at + step])
            peer.settimeout(10)
            while peer.recv(4096):  # until it is closed
                pass
        except (BrokenPipeError, ConnectionResetError):
            pass


main()
