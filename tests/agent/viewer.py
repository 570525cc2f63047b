#!/usr/bin/env python3
"""A viewer of the agent's protocol that only listens: starts one mode, and prints what it was told.

usage: viewer.py SOCKET MODE [OPTIONS [SECONDS]]   (SECONDS: how long; without, until the program ends)
       VIEWER_STALLS=FILE viewer.py …              reads nothing until FILE is there; makes FILE.lost when it is told of what is lost

Prints a line for each (thread, method): "time THREAD CLASS.METHOD MS CALLS", for each line that allocates:
"alloc CLASS.METHOD:LINE OBJECTS BYTES VARIANCE" of what is alive, and "ack", "note", "lost", "batches", "bytes"
lines. Fails if a number is used before it is named, or a method spent more time in a thread than there was.
"""
import os
import socket
import struct
import sys
import time

TYPES = {1: "hello", 2: "class", 3: "method", 4: "thread", 5: "stack", 6: "time", 7: "alloc", 8: "gc", 9: "lost",
         10: "ack", 11: "bye", 13: "note"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def text(self):
        size = self.take("H")
        self.at += size
        return self.data[self.at - size:self.at].decode()


class Viewer:
    def __init__(self):
        self.classes, self.methods, self.threads, self.sums = {}, {}, {}, {}
        self.stacks, self.alive = {0: "?"}, {}
        self.batches = self.bytes = self.span = 0

    def read(self, kind, body):
        self.bytes += len(body) + 5
        getattr(self, "on_" + TYPES.get(kind, "nothing"), self.on_nothing)(Reader(body))
        return kind != 11

    def on_nothing(self, body):
        pass

    def on_class(self, body):
        number, name = body.take("I"), body.text()
        assert number not in self.classes
        self.classes[number] = name

    def on_method(self, body):
        number, owner, name = body.take("I"), body.take("I"), body.text()
        assert number not in self.methods
        self.methods[number] = self.classes[owner] + "." + name

    def on_thread(self, body):
        number, name = body.take("I"), body.text()
        assert number not in self.threads
        self.threads[number] = name

    def on_time(self, body):
        begin, end, how, count = body.take("QQBI")
        assert end >= begin
        self.batches += 1
        for _ in range(count):
            method, thread, ns, calls = body.take("IIQQ")
            entry = self.sums.setdefault((self.threads[thread], self.methods[method]), [0, 0])
            entry[0] += ns
            entry[1] += calls

    def on_stack(self, body):
        number, count = body.take("IH")
        assert number not in self.stacks
        frames = [body.take("II") for _ in range(count)]
        self.stacks[number] = f"{self.methods[frames[0][0]]}:{frames[0][1]}" if frames else "?"

    def on_alloc(self, body):
        end, interval, count = body.take("QQI")
        self.batches += 1
        for _ in range(count):
            _, stack, _, objects, size, _, _, variance = body.take("IIIqqQQd")
            entry = self.alive.setdefault(self.stacks[stack], [0, 0, 0.0])
            for i, more in enumerate((objects, size, variance)):
                entry[i] += more
            assert entry[0] >= 0 and entry[1] >= 0, (self.stacks[stack], entry)

    def on_lost(self, body):
        print("lost", *body.take("BQ"), body.text())
        if "VIEWER_STALLS" in os.environ:
            open(os.environ["VIEWER_STALLS"] + ".lost", "w").close()

    def on_ack(self, body):
        number, done = body.take("IB")
        print("ack", done, body.text())

    def on_note(self, body):
        print("note", body.text())

    def say(self):
        for (thread, method), (ns, calls) in sorted(self.sums.items()):
            print(f"time {thread.replace(' ', '_')} {method} {ns / 1e6:.3f} {calls}")
        for site, (objects, size, variance) in sorted(self.alive.items()):
            print(f"alloc {site} {objects} {size} {variance:.0f}")
        print("batches", self.batches)
        print("bytes", self.bytes)


def receive(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            return None
        data += part
    return data


def command(number, verb, mode, options):
    text = b"".join(struct.pack("<H", len(t.encode())) + t.encode() for t in (mode, options))
    payload = struct.pack("<BIB", 12, number, verb) + text
    return struct.pack("<I", len(payload)) + payload


def main():
    path, mode = sys.argv[1:3]
    options = sys.argv[3] if len(sys.argv) > 3 else ""
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else None
    if os.path.exists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.settimeout(120)
    listener.bind(path + ".new")
    listener.listen(1)
    os.rename(path + ".new", path)  # who sees the name can connect
    connection, _ = listener.accept()
    if mode != "none":
        connection.sendall(command(1, 1, mode, options))
    while "VIEWER_STALLS" in os.environ and not os.path.exists(os.environ["VIEWER_STALLS"]):
        time.sleep(0.05)
    viewer, end = Viewer(), seconds and time.monotonic() + seconds
    while True:
        head = receive(connection, 5)
        if not head:
            break
        size, kind = struct.unpack("<IB", head)
        if not viewer.read(kind, receive(connection, size - 1)):
            break
        if end and time.monotonic() > end:
            connection.sendall(command(2, 2, mode, ""))
            connection.sendall(command(3, 3, "", ""))
            end = None
    viewer.say()


main()
