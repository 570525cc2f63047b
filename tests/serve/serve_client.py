#!/usr/bin/env python3
"""Clients of `memcity serve`, good and bad ones, made from docs/reference/serve.md. Standard library only.

usage: serve_client.py MEMCITY TRACE PAGE   (a page of the same trace, by memcity page)
"""
import base64
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import time

REFUSED = b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
KEY = "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
MASK = b"\x12\x34\x56\x78"
CLIENTS = 32  # at a time
failures = []


def check(is_so, text):
    if not is_so:
        failures.append(text)
        print(f"failed: {text}", file=sys.stderr)


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen([sys.argv[1], "serve", sys.argv[2], *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})\n", line)
        if not found:
            sys.exit(f"no address: {line!r} {self.process.communicate()}")
        self.port, self.token = int(found[1]), found[2]

    def connect(self, host="127.0.0.1"):
        one = socket.create_connection((host, self.port))
        one.settimeout(20)
        return one

    def ask(self, text, host="127.0.0.1"):
        with self.connect(host) as one:
            one.sendall(text if isinstance(text, bytes) else text.encode())
            return read_all(one)

    def get(self, path=None, host=None, more="", method="GET", version="HTTP/1.1"):
        path = f"/?token={self.token}" if path is None else path
        host = f"Host: 127.0.0.1:{self.port}\r\n" if host is None else host
        return self.ask(f"{method} {path} {version}\r\n{host}{more}\r\n")


def read_all(one):
    parts = []
    try:
        while part := one.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        parts.append(b"RESET")
    return b"".join(parts)


def frame(opcode, data, masked=True):
    head = bytes([0x80 | opcode, (0x80 if masked else 0) | len(data)])
    return head + MASK + bytes(b ^ MASK[i % 4] for i, b in enumerate(data)) if masked else head + data


class Socket:
    """A WebSocket to the data."""

    def __init__(self, server, more=""):
        self.one, self.rest = server.connect(), b""
        self.one.sendall(f"GET /data?token={server.token} HTTP/1.1\r\nHost: localhost:{server.port}\r\n{KEY}{more}\r\n".encode())
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.one.recv(65536)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        check(head.startswith(b"HTTP/1.1 101 ") and b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head, f"no WebSocket: {head}")

    def read(self, size):
        while len(self.rest) < size:
            part = self.one.recv(65536)
            if not part:
                return b""
            self.rest += part
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def take(self):
        head = self.read(2)
        if not head:
            return None, b""
        size = head[1]
        if size == 126:
            size = struct.unpack(">H", self.read(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.read(8))[0]
        return head[0] & 15, self.read(size)

    def send(self, data, opcode=1, masked=True):
        self.one.sendall(frame(opcode, data, masked))

    def is_silent(self, seconds):
        self.one.settimeout(seconds)
        try:
            return self.rest == b"" and self.one.recv(1, socket.MSG_PEEK) is None
        except TimeoutError:
            return True
        finally:
            self.one.settimeout(20)

    def is_closed_with(self, code):
        while True:
            opcode, data = self.take()
            if opcode in (None, 8):
                return opcode == 8 and struct.unpack(">H", data[:2])[0] == code


def check_page(server):
    answer = server.get()
    head, body = answer.split(b"\r\n\r\n", 1)
    check(head.startswith(b"HTTP/1.1 200 OK\r\n") and f"Content-Length: {len(body)}\r\n".encode() in head, f"a page of {len(body)} bytes: {head}")
    policy = re.search(rb"Content-Security-Policy: (.*)", head)[1].decode().strip()
    check(policy.startswith("default-src 'none';script-src 'sha256-") and policy.endswith(f";frame-ancestors 'none';connect-src ws://127.0.0.1:{server.port}"),
          f"policy {policy}")
    for said in (b"Cache-Control: no-store", b"X-Content-Type-Options: nosniff", b"Referrer-Policy: no-referrer"):
        check(said in head, f"no {said}")
    check(server.token.encode() not in answer and b"LinkedList" not in answer, "the page itself says too much")
    with server.connect() as one:  # which says that it sends no more
        one.sendall(f"GET /?token={server.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        one.shutdown(socket.SHUT_WR)
        check(len(read_all(one)) > len(body), "nothing for a client that has no more to say")


def check_refusals(server):
    good, host = f"/?token={server.token}", f"127.0.0.1:{server.port}"
    wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
    for path in ("/", "/?", "/?token=", f"/?token={wrong}", f"/?token={server.token[:-1]}", f"{good}0", f"{good}&x=1", f"/?x=1&token={server.token}",
                 f"/index.html?token={server.token}", f"//?token={server.token}", f"http://{host}{good}", f"/?TOKEN={server.token}", f"/data?token={wrong}", "/data",
                 "*", f"/?token={server.token[:31]}%30"):
        check(server.get(path) == REFUSED, f"path {path}: {server.get(path)[:60]}")
    for name in ("example.com", f"example.com:{server.port}", f"127.0.0.1.example.com:{server.port}", "localhost.example.com", "127.0.0.1:0", "127.0.0.1:65536",
                 "127.0.0.1:", "127.0.0.1:1x", "127.0.0.2", "0.0.0.0", "[::]", "[::1", "localhost@example.com", "localhost:80:80", "2130706433", ""):
        check(server.get(host=f"Host: {name}\r\n") == REFUSED, f"host {name}")
        check(server.get(f"/data?token={server.token}", f"Host: {name}\r\n", KEY) == REFUSED, f"data by host {name}")
    check(server.get(host="") == REFUSED, "no host")
    check(server.get(host=f"Host: {host}\r\nhost: {host}\r\n") == REFUSED, "two hosts")
    for origin in ("http://example.com", "null", f"https://{host}", f"http://127.0.0.1:{server.port % 65535 + 1}", "http://127.0.0.1", f"http://{host}/", f"http://localhost:{server.port}",
                   f"http://{host}.example.com", "file://", ""):
        check(server.get(more=f"Origin: {origin}\r\n") == REFUSED, f"origin {origin}")
        check(server.get(f"/data?token={server.token}", more=f"Origin: {origin}\r\n{KEY}") == REFUSED, f"data by origin {origin}")
    check(server.get(more=f"Origin: http://{host}\r\nOrigin: http://{host}\r\n") == REFUSED, "two origins")
    for method in ("POST", "HEAD", "OPTIONS", "CONNECT", "GETS", ""):
        check(server.get(method=method) == REFUSED, f"method {method}")
    for version in ("HTTP/1.0", "HTTP/2.0", "HTTP/1.1 x", ""):
        check(server.get(version=version) == REFUSED, f"version {version}")
    check(server.ask(b"\r\n\r\n") == REFUSED and server.ask(b"\x16\x03\x01\r\n\r\n") == REFUSED, "garbage")
    check(server.get(f"/data?token={server.token}").startswith(b"HTTP/1.1 426 "), "data without a WebSocket")
    # What a tunnel makes of the address.
    for name in ("localhost:1", "LOCALHOST:65535", "127.0.0.1", "[::1]:8080"):
        check(server.get(host=f"Host: {name}\r\n", more=f"Origin: http://{name}\r\n").startswith(b"HTTP/1.1 200 "), f"host {name} is refused")
    check(b"connect-src 'self'\r\n" in server.get(host="Host: [::1]:8080\r\n"), "the policy of ::1")


def check_data(server, wanted):
    data = Socket(server, f"Origin: http://localhost:{server.port}\r\n")
    for version in (0, 7):  # whatever it had
        data.send(b"%d" % version)
        opcode, head = data.take()
        check(opcode == 1 and head == b'{"version":1,"data":%d,"live":false}' % len(wanted), f"{head}, not {len(wanted)}")
        parts = []
        while sum(map(len, parts)) < len(wanted):
            opcode, part = data.take()
            check(opcode == 2 and 0 < len(part) <= 65536, f"a part of {len(part)}")
            parts.append(part)
        check(b"".join(parts) == wanted, "other data than the page has")
    data.send(b"1")
    check(data.is_silent(0.2), "there is nothing new")
    data.send(b"here", 9)
    check(data.take() == (10, b"here"), "no pong")
    data.send(struct.pack(">H", 1000), 8)
    check(data.is_closed_with(1000), "not closed")


def check_bad_frames(server):
    for code, sent in ((1008, frame(1, b"x")), (1008, frame(1, b"")), (1008, frame(1, b"-1")), (1008, frame(1, b"1" * 21)), (1008, frame(2, b"\0" * 100)),
                       (1008, frame(1, b"1") + frame(1, b"1")), (1002, frame(1, b"1", False)), (1002, frame(3, b"1")), (1002, b"\xff" * 30),
                       (1002, frame(0, b"1")), (1007, frame(8, b"\x03\xe8\xff"))):
        data = Socket(server)
        data.one.sendall(sent)
        check(data.is_closed_with(code), f"{sent[:20]} is not closed with {code}")


def check_hostile(server):
    random.seed(5)
    flood = b"GET /?token=" + b"0" * 20000
    with server.connect() as one:
        one.sendall(flood[:16384])
        check(one.recv(1000) == REFUSED, "a head that does not end")
    for _ in range(200):
        with server.connect() as one:
            one.sendall(random.randbytes(random.randrange(1, 400)))
            if random.random() < 0.5:
                one.sendall(b"\r\n\r\n")
    for _ in range(50):
        data = Socket(server)
        data.one.sendall(random.randbytes(random.randrange(1, 400)))
        data.one.close()
    # Who says nothing, or says it slowly, gives its place up to whoever does.
    idle = [server.connect() for _ in range(3 * CLIENTS)]
    for one in idle[-CLIENTS:]:
        one.sendall(b"GET ")
    check(server.get().startswith(b"HTTP/1.1 200 "), "no page beside silent clients")
    check(idle[0].recv(1) == b"", "the first one still has its place")
    # Who has a right to be here keeps it.
    sockets = [Socket(server) for _ in range(CLIENTS)]
    late = server.connect()
    check(read_all(late) in (b"", b"RESET"), "one too many")
    for one in sockets:
        one.one.close()
    for one in idle:
        one.close()
    while not server.get().startswith(b"HTTP/1.1 200 "):
        time.sleep(0.01)


def check_listeners(server):
    local = set()
    for name in ("tcp", "tcp6"):
        with open(f"/proc/net/{name}") as file:
            for line in file.readlines()[1:]:
                at, state = line.split()[1], line.split()[3]
                if state == "0A" and int(at.split(":")[1], 16) == server.port:
                    local.add(at.split(":")[0])
    check("0100007F" in local and local <= {"0100007F", "00000000000000000000000001000000"}, f"listens at {local}")
    if len(local) == 2:
        check(server.get("/") == server.ask("GET / HTTP/1.1\r\n\r\n", "::1") == REFUSED, "::1")


def check_end(server):
    data, half = Socket(server), server.connect()
    data.send(b"1")
    half.sendall(b"GET ")
    check(data.is_silent(0.1), "there is nothing new")
    begun = time.monotonic()
    server.process.send_signal(signal.SIGINT)
    check(data.is_closed_with(1001), "nobody says that it ends")
    check(server.process.wait(20) == 0, f"exit code {server.process.returncode}")
    check(time.monotonic() - begun < 10, "does not end")
    said = server.process.stderr.read()
    check(server.token not in said and f"ssh -N -L {server.port}:127.0.0.1:{server.port} " in said and "warning" not in said, f"says {said}")


def main():
    with open(sys.argv[3], "rb") as file:
        wanted = b"".join(map(base64.b64decode, re.search(rb"id=data>([^<]*)<", file.read())[1].split(b"\n")))
    server = Server()
    try:
        for one in (check_page, check_refusals, check_bad_frames, check_listeners, check_hostile):
            one(server)
        check_data(server, wanted)
        other = subprocess.run([sys.argv[1], "serve", sys.argv[2], "--port", str(server.port)], capture_output=True, text=True, timeout=60)
        check(other.returncode == 1 and other.stdout == "" and f"port {server.port}" in other.stderr, f"a port that is in use: {other}")
        another = Server("--port", "0")
        check(another.token != server.token, "the same token again")
        another.process.terminate()
        another.process.wait(20)
        fds = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        check(fds < 16, f"{fds} descriptors are left open")
        check_end(server)
    finally:
        server.process.kill()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
