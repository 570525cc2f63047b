#!/usr/bin/env python3
"""A server that speaks AntTracks' protocol over recorded traces, and misbehaves if it is asked to. Standard library only.

usage: trace_server.py PORTFILE [OPTION…] TAB…
  TAB is ID=NAME=FOLDER: steps from FOLDER/*.json (the AntTracks form) or FOLDER/anttracks-format, pointer maps from
  …/points-to-maps and …/pointed-from-maps of it or of default-format. A FOLDER that is one file is a tab with a single tree.
  --port N        0: any; the port is written to PORTFILE once the server listens
  --frame N       answers in frames of so many bytes (one frame)
  --piece N       so many bytes to the socket at a time, with --delay
  --delay MS      between pieces
  --cut N,N…      the first connections that ask for trees break after so many bytes of data; the others don't
  --cut-tabs N,N… likewise the first that ask for lists of tabs
  --both          tabs with all trees give a single one, too
  --order last    "data" is the answer's first member, and not its last one
  --answer TEXT   this instead of any answer; --answer-trees TEXT: only of GET-ALL-TREES; --raw HEX: these bytes instead of frames;
                  with which code a client closes is written to PORTFILE.closed
  --ping          a ping in the middle of everything
  --twice         each step twice; --shuffle: in another order
  --grow          after the first connection that broke, other data
  --log FILE      is there once somebody has connected
  --begun FILE    is there once an answer of several pieces is on its way
  --deny NAME     this capability fails
"""
import argparse
import base64
import glob
import hashlib
import json
import os
import random
import socket
import struct
import threading
import time

parser = argparse.ArgumentParser()
parser.add_argument("portfile")
parser.add_argument("tabs", nargs="*")
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--frame", type=int, default=0)
parser.add_argument("--piece", type=int, default=0)
parser.add_argument("--delay", type=float, default=0)
parser.add_argument("--cut", default="")
parser.add_argument("--cut-tabs", default="")
parser.add_argument("--both", action="store_true")
parser.add_argument("--order", default="first")
parser.add_argument("--answer")
parser.add_argument("--answer-trees")
parser.add_argument("--raw")
parser.add_argument("--ping", action="store_true")
parser.add_argument("--twice", action="store_true")
parser.add_argument("--shuffle", action="store_true")
parser.add_argument("--grow", action="store_true")
parser.add_argument("--log")
parser.add_argument("--begun")
parser.add_argument("--deny", default="")
args = parser.parse_intermixed_args()
cuts = [int(cut) for cut in args.cut.split(",") if cut]
tab_cuts = [int(cut) for cut in args.cut_tabs.split(",") if cut]
broken = broken_lists = 0


def read_array(folder):
    texts = [open(name, "rb").read().strip() for name in sorted(glob.glob(folder + "/*.json"))]
    if args.twice:
        texts = [text for text in texts for _ in range(2)]
    if args.shuffle:
        random.Random(1).shuffle(texts)
    return b"[" + b",".join(texts) + b"]"


class Tab:
    def __init__(self, text):
        number, self.name, folder = text.split("=", 2)
        self.number = int(number)
        self.data = {}
        if os.path.isfile(folder):
            self.data["GET-SINGLE-TREE"] = open(folder, "rb").read().strip()
            return
        trees = folder + "/anttracks-format"
        self.data["GET-ALL-TREES"] = read_array(trees if os.path.isdir(trees) else folder)
        if args.both:
            self.data["GET-SINGLE-TREE"] = b"null"
        maps = folder + "/default-format"
        maps = maps if os.path.isdir(maps) else folder
        self.data["GET-ALL-POINTS-TO-MAPS"] = read_array(maps + "/points-to-maps")
        self.data["GET-ALL-POINTED-FROM-MAPS"] = read_array(maps + "/pointed-from-maps")
        for name in list(self.data):
            if name == args.deny:
                del self.data[name]

    def describe(self):
        return {"tabId": self.number, "name": self.name, "shortDescription": "", "longDescription": None,
                "capabilities": [{"text": name, "parameters": []} for name in self.data]}


tabs = [Tab(text) for text in args.tabs]


class Broken(Exception):
    pass


def send_pieces(connection, data):
    size = args.piece or len(data) or 1
    for i in range(0, len(data), size):
        connection.sendall(data[i:i + size])
        if args.begun and i > 0:
            open(args.begun, "w").close()
        if args.delay:
            time.sleep(args.delay / 1000)


def frame_head(opcode, size, final):
    head = bytes([opcode | (0x80 if final else 0)])
    if size < 126:
        return head + bytes([size])
    return head + (struct.pack(">BH", 126, size) if size < 65536 else struct.pack(">BQ", 127, size))


def send_message(connection, data, limit):
    """All of it, or `limit` bytes before the connection breaks."""
    size = args.frame or max(len(data), 1)
    sent = 0
    for i in range(0, max(len(data), 1), size):
        part = data[i:i + size]
        if args.ping and i > 0:
            connection.sendall(frame_head(9, 5, True) + b"hello")
        head = frame_head(1 if i == 0 else 0, len(part), i + size >= len(data))
        if limit is not None and sent + len(part) > limit:
            connection.sendall(head + part[:limit - sent])
            raise Broken
        if args.piece or len(part) < 1 << 16:
            send_pieces(connection, head + bytes(part))
        else:
            connection.sendall(head)
            connection.sendall(part)
        sent += len(part)


def make_answer(request):
    capability = request.get("capability")
    echo = json.dumps(request).encode()
    data, status, error, sender = None, "success", None, -1
    if capability == "GET-TAB-LIST":
        data = json.dumps([tab.describe() for tab in tabs]).encode()
    elif capability == "GET-TAB-LIST-WITH-CAPABILITY":
        wanted = request["parameters"][0]
        data = json.dumps([tab.describe() for tab in tabs if wanted in tab.data]).encode()
    else:
        found = [tab for tab in tabs if tab.number == request.get("tabId") and capability in tab.data]
        if found:
            data, sender = found[0].data[capability], request["tabId"]
        else:
            status, error = "failed", "tab with tabId %s not found" % request.get("tabId")
    rest = b'"request":%s,"status":"%s","sender":%d' % (echo, status.encode(), sender)
    if error:
        rest += b',"error":' + json.dumps(error).encode()
    data = b"null" if data is None else data
    if args.grow and broken and capability == "GET-ALL-TREES":
        data = data.replace(b'"objects":', b'"objects":1', 1)
    if args.answer_trees is not None and capability == "GET-ALL-TREES":
        return args.answer_trees.encode()
    if args.answer is not None:
        return args.answer.encode()
    return b'{"data":' + data + b"," + rest + b"}" if args.order == "last" else b"{" + rest + b',"data":' + data + b"}"


def read_exactly(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise Broken
        data += part
    return data


def read_message(connection):
    while True:
        first, length = read_exactly(connection, 2)
        size = length & 127
        if size == 126:
            size = struct.unpack(">H", read_exactly(connection, 2))[0]
        mask = read_exactly(connection, 4)
        payload = bytes(b ^ mask[i & 3] for i, b in enumerate(read_exactly(connection, size)))
        if first & 15 == 8:
            with open(args.portfile + ".closed", "w") as file:
                file.write("closed %s" % (struct.unpack(">H", payload[:2])[0] if payload else "without a code"))
            raise Broken
        if first & 15 == 1:
            return payload


def shake_hands(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(4096)
        if not part:
            raise Broken
        head += part
    key = [line.split(b":")[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key")][0]
    proof = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    connection.sendall(b"HTTP/1.1 101 Web Socket Protocol Handshake\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n"
                       b"sec-websocket-accept: " + proof + b"\r\n\r\n")


def serve(connection):
    global broken, broken_lists
    if args.log:
        open(args.log, "w").close()
    try:
        shake_hands(connection)
        while True:
            request = json.loads(read_message(connection))
            is_data = not request["capability"].startswith("GET-TAB-LIST")
            limit = cuts[broken] if is_data and broken < len(cuts) else None
            answer = make_answer(request)
            if not is_data and broken_lists < len(tab_cuts):
                broken_lists += 1
                send_message(connection, answer, min(tab_cuts[broken_lists - 1], len(answer) - 1))
            if args.raw:
                connection.sendall(bytes.fromhex(args.raw))
                continue
            if limit is not None and limit < len(answer):
                try:
                    send_message(connection, answer, limit)
                finally:
                    broken += 1
            send_message(connection, answer, None)
    except (Broken, OSError):
        pass
    finally:
        connection.close()


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", args.port))
listener.listen(8)
with open(args.portfile + ".new", "w") as file:
    file.write("%d\n" % listener.getsockname()[1])
os.rename(args.portfile + ".new", args.portfile)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
