#!/usr/bin/env python3
"""A tool that pushes, made from docs/reference/websocket.md. Standard library only.

usage: push.py PORT [--origin O] [--frame N] [--binary] [--cut N] [--raw HEX] [--http TEXT] [--split] [--dump] MESSAGE…
  MESSAGE   a file that holds one, or FOLDER: its steps and pointer maps as three messages, or with --split one message each
       push.py --write FOLDER   (messages and heads as files, for tests/fuzz/fuzz_push.c)
Prints the answer to each. --cut N: breaks after so many bytes of the last one. --raw: these bytes behind the handshake.
"""
import argparse
import glob
import os
import socket
import struct
import sys

parser = argparse.ArgumentParser()
parser.add_argument("port", type=int, nargs="?")
parser.add_argument("--write")
parser.add_argument("messages", nargs="*")
parser.add_argument("--origin")
parser.add_argument("--frame", type=int, default=0)
parser.add_argument("--binary", action="store_true")
parser.add_argument("--split", action="store_true")
parser.add_argument("--reverse", action="store_true")
parser.add_argument("--cut", type=int)
parser.add_argument("--raw")
parser.add_argument("--http")
parser.add_argument("--wait", action="store_true", help="for the end of input, connected")
args = parser.parse_intermixed_args()
MASK = b"\x12\x34\x56\x78"


def read_files(folder):
    names = sorted(glob.glob(folder + "/*.json"), key=lambda name: int(os.path.basename(name)[:-5]), reverse=args.reverse)
    return [open(name, "rb").read() for name in names]


def make_messages(path):
    if not os.path.isdir(path):
        return [open(path, "rb").read()]
    messages = []
    for kind, folder in (("trees", path), ("points-to-maps", path + "/points-to-maps"),
                         ("pointed-from-maps", path + "/pointed-from-maps")):
        texts = read_files(folder)
        groups = [[text] for text in texts] if args.split else [texts]
        for group in groups:
            array = b"[" + b",".join(group) + b"]"
            bare = kind == "trees"
            messages.append(array if bare else b'{"kind":"%s","data":%s}' % (kind.encode(), array))
    return messages


def mask(data):
    key = int.from_bytes((MASK * (len(data) // 4 + 1))[:len(data)], "little")
    return (int.from_bytes(data, "little") ^ key).to_bytes(len(data), "little")


def frame(opcode, data, final):
    size = len(data)
    head = bytes([opcode | (0x80 if final else 0)])
    head += bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 254, size) if size < 65536 else struct.pack(">BQ", 255, size)
    return head + MASK + mask(data)


def make_frames(data):
    size = args.frame or max(len(data), 1)
    kind = 2 if args.binary else 1
    return b"".join(frame(kind if i == 0 else 0, data[i:i + size], i + size >= len(data)) for i in range(0, max(len(data), 1), size))


class Connection:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", args.port))
        self.buffer = b""

    def read(self, size):
        while len(self.buffer) < size:
            try:
                part = self.socket.recv(65536)
            except ConnectionResetError:
                part = b""
            if not part:
                print("closed")
                sys.exit(0)
            self.buffer += part
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def shake_hands(self):
        origin = "Origin: %s\r\n" % args.origin if args.origin else ""
        request = ("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n%s"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n" % origin)
        self.socket.sendall((args.http or request).encode().decode("unicode_escape").encode("latin-1") if args.http
                            else request.encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(1)
        if not head.startswith(b"HTTP/1.1 101"):
            print(head.split(b"\r\n")[0].decode())
            sys.exit(0)
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head

    def read_answer(self):
        while True:
            first, size = self.read(2)
            if size == 126:
                size = struct.unpack(">H", self.read(2))[0]
            data = self.read(size)
            if first & 15 == 8:
                print("closed", struct.unpack(">H", data[:2])[0], data[2:].decode())
                sys.exit(0)
            if first & 15 == 1:
                return data.decode()


if args.write:
    STEP = '{"time":1,"root":{"key":"A","bytes":1,"objects":1,"children":[{"key":"A#b","bytes":1,"objects":1}]}}'
    MAP = '{"time":1,"pointerMap":{"A#b":{"A#b":1}}}'
    os.makedirs(args.write, exist_ok=True)
    for number, text in enumerate([
            STEP, "[%s,%s]" % (STEP, STEP.replace("1", "2", 1)), '{"kind":"points-to-maps","data":[%s]}' % MAP,
            '{"request":{"capability":"GET-ALL-POINTED-FROM-MAPS"},"status":"success","data":[%s],"sender":1}' % MAP,
            '{"status":"success","data":[{"tabId":3,"name":"A"}],"sender":-1}', '{"status":"failed","data":null,"error":"no"}']):
        for piece in (0, 7):
            args.frame = piece
            with open("%s/%d-%d" % (args.write, number, piece), "wb") as file:
                file.write(bytes([0x80 + piece]) + make_frames(text.encode()) + frame(9, b"hi", True))
    with open(args.write + "/head", "wb") as file:
        file.write(b"\x80GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: http://a\r\n"
                   b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    sys.exit(0)


def leave_closed(kind, value, trace):
    if not issubclass(kind, (BrokenPipeError, ConnectionResetError)):
        return sys.__excepthook__(kind, value, trace)
    print("closed", flush=True)
    os._exit(0)


sys.excepthook = leave_closed  # who was sent away before it had said anything
connection = Connection()
connection.shake_hands()
if args.raw:
    connection.socket.sendall(bytes.fromhex(args.raw))
    print(connection.read_answer())
for path in args.messages:
    messages = make_messages(path)
    for message in messages:
        data = make_frames(message)
        if args.cut is not None:
            connection.socket.sendall(data[:args.cut])
            sys.exit(0)
        connection.socket.sendall(data)
        answer = connection.read_answer()
        if not args.split or '"failed"' in answer:
            print(answer)
if args.wait:
    print("connected", flush=True)
    sys.stdin.read()
