#!/usr/bin/env python3
"""An agent of another runtime, as small as can be, made from docs/reference/agent-protocol.md.

usage: sender.py SOCKET SCENE
       sender.py PORT SECRET_FILE SCENE   (TCP on loopback)
       sender.py --write FOLDER   (each scene as a file, behind a byte for tests/fuzz/fuzz_agent.c)

SCENE: good       three batches: 10 objects of 100 bytes, then 25, then 5; a collection; goodbye
       slow       the same, a byte at a time
       newer      the same, with how large the heap may become, and types and fields that are not known
       sampled    10 objects of 100 bytes, whose sum has a variance of 100
       few        one object, found at an interval of 100 bytes
       young      10 objects live on; of 100 more, 10 outlive a collection
       version, unnamed, twice, negative, huge, long, cut, nothing, text: what memcity has to refuse
       stranger   (TCP) knows no secret, and has to be sent away before it is told anything
       silent     (TCP) connects ten times and says nothing, then as good
"""
import hashlib
import hmac
import os
import pathlib
import socket
import struct
import sys

HELLO, CLASS, METHOD, THREAD, STACK, TIME, ALLOC, GC, LOST, ACK, BYE, COMMAND, NOTE = range(1, 14)
REST = 3  # a verb


def text(string):
    data = string.encode("utf-8") if isinstance(string, str) else string
    return struct.pack("<H", len(data)) + data


def frame(kind, payload):
    return struct.pack("<IB", len(payload) + 1, kind) + payload


def hello(version=1, more=b""):
    return frame(HELLO, struct.pack("<HIqQ", version, 4711, 1_700_000_000_000, 1_000_000_000) + text("Tiny 1.0")
                 + text("tiny program") + struct.pack("<I", 1) + more)


def names(extra=b""):
    return b"".join([
        frame(CLASS, struct.pack("<I", 1) + text("com.acme.Order") + struct.pack("<I", 0) + extra),
        frame(CLASS, struct.pack("<I", 2) + text("com.acme.Shop") + struct.pack("<I", 0) + extra),
        frame(METHOD, struct.pack("<II", 1, 2) + text("add") + text("()V") + b"\0" + text("Shop.java") + extra),
        frame(METHOD, struct.pack("<II", 2, 2) + text("main") + text("()V") + b"\2" + text("Shop.java") + extra),
        frame(THREAD, struct.pack("<I", 1) + text("wörker \x1b[31m") + extra),
        frame(STACK, struct.pack("<IH", 1, 2) + struct.pack("<IIII", 1, 42, 2, 7) + extra),
    ])


def batch(ms, objects, allocated=None, stack=1, interval=0, variance=0.0, size=None):
    allocated = max(objects, 0) if allocated is None else allocated
    row = struct.pack("<IIIqqQQd", 1, stack, 1, objects, objects * 100 if size is None else size, allocated, allocated * 100, variance)
    return frame(ALLOC, struct.pack("<QQI", 1_000_000_000 + ms * 1_000_000, interval, 1) + row)


def empty(ms):
    return frame(ALLOC, struct.pack("<QQI", 1_000_000_000 + ms * 1_000_000, 0, 0))


def collection(ms, flags=b""):
    return frame(GC, struct.pack("<QQQ", 1_000_000_000 + ms * 1_000_000, 2_000_000, 0) + flags)


def good(extra=b"", unknown=b"", more=b""):
    return (hello(more=more) + unknown + names(extra) + batch(50, 10) + batch(1500, 15) + unknown + batch(2000, -20) + collection(2001)
            + empty(2050) + frame(NOTE, text("all is well")) + frame(BYE, text("done")))


SCENES = {
    "good": good(),
    "slow": good(),
    "newer": good(b"\1\2\3\4", frame(200, b"what is to come") + frame(14, b""), struct.pack("<Q", 64 << 20) + b"\0more"),
    "whole": hello(more=struct.pack("<QB", 64 << 20, 1)) + names() + batch(50, 10) + batch(1500, 15) + collection(1501) + batch(3000, -5)
             + collection(3001, b"\1") + empty(3050) + batch(5000, 7) + empty(7000) + frame(BYE, text("done")),
    "sampled": hello() + names() + batch(50, 10, interval=1024, variance=100.0) + frame(BYE, text("done")),
    "few": hello() + names() + batch(50, 1, interval=100, variance=10000.0) + frame(BYE, text("done")),
    "young": hello() + names() + batch(50, 10) + collection(55) + empty(1100) + batch(1500, 100) + empty(2700) + empty(2750)
    + batch(2800, -90) + collection(2801) + empty(2900) + frame(BYE, text("done")),
    "version": hello(2),
    "unnamed": hello() + batch(50, 1, stack=1),
    "twice": hello() + names() + frame(CLASS, struct.pack("<I", 1) + text("again") + struct.pack("<I", 0)),
    "negative": hello() + names() + batch(50, -1),
    "huge": hello() + names() + batch(50, 10) + collection(60) + batch(100, 1, 200) + batch(150, 1, size=2 ** 63 - 1),
    "long": hello() + struct.pack("<IB", (1 << 20) + 1, ALLOC),
    "cut": hello() + frame(CLASS, struct.pack("<IH", 1, 500) + b"short"),
    "nothing": frame(NOTE, text("no greeting")),
    "text": hello() + frame(CLASS, struct.pack("<I", 1) + text(b"\xff\xfe") + struct.pack("<I", 0)),
}
FAILING = ("version", "unnamed", "twice", "negative", "huge", "long", "cut", "nothing", "text")


def write(folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for name, data in SCENES.items():
        (pathlib.Path(folder) / name).write_bytes(b"\7" + data)


def receive(peer, size):
    data = b""
    while len(data) < size:
        part = peer.recv(size - len(data))
        if not part:
            raise ConnectionResetError
        data += part
    return data


def prove(peer, port, secret):
    """What both sides say before anything else with TCP."""
    ours = os.urandom(32)
    peer.sendall(ours)
    theirs, proof = receive(peer, 32), receive(peer, 32)
    said = f" {port} ".encode() + ours + theirs
    assert hmac.compare_digest(proof, hmac.new(secret, b"memcity" + said, hashlib.sha256).digest())
    peer.sendall(hmac.new(secret, b"agent" + said, hashlib.sha256).digest())


def say(peer, scene):
    data = SCENES[scene]
    try:
        if scene in ("good", "slow", "newer", "sampled", "few", "young", "whole"):  # the greeting is answered by a command: start alloc
            greeting, = struct.unpack_from("<I", data)
            peer.sendall(data[:greeting + 4])
            data = data[greeting + 4:]
            size, kind, number, verb = struct.unpack("<IBIB", receive(peer, 10))
            assert (kind, number, verb) == (COMMAND, 1, 1), (kind, number, verb)
            mode_size, = struct.unpack("<H", receive(peer, 2))
            assert receive(peer, mode_size) == b"alloc"
        step = 1 if scene == "slow" else len(data)
        for at in range(0, len(data), step):
            peer.sendall(data[at:at + step])
        peer.settimeout(10)
        told = b""
        while part := peer.recv(4096):  # until it is closed
            told += part
        if scene in FAILING:
            assert told.endswith(struct.pack("<BHH", REST, 0, 0)), f"not told to rest: {told!r}"
    except (BrokenPipeError, ConnectionResetError):
        pass


def say_by_tcp(port, path, scene):
    secret, silent = pathlib.Path(path).read_bytes(), []
    if scene == "silent":
        scene, silent = "good", [socket.create_connection(("127.0.0.1", port)) for _ in range(10)]
    with socket.create_connection(("127.0.0.1", port)) as peer:
        if scene != "stranger":
            prove(peer, port, secret)
            say(peer, scene)
            return
        peer.sendall(os.urandom(32))
        receive(peer, 64)
        peer.sendall(os.urandom(32))
        peer.settimeout(30)
        try:
            assert peer.recv(1) == b"", "a stranger was told something"
        except ConnectionResetError:
            pass


def main():
    if sys.argv[1] == "--write":
        write(sys.argv[2])
    elif len(sys.argv) == 4:
        say_by_tcp(int(sys.argv[1]), sys.argv[2], sys.argv[3])
    else:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(sys.argv[1])
            say(peer, sys.argv[2])


main()
