#!/usr/bin/env python3
"""Who keeps a place at the port of `memcity listen`, and who gives way. Standard library only. usage: places.py PORT"""
import socket
import struct
import sys
import time

PORT = int(sys.argv[1])
REQUEST = (b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
STEP = b'{"time":77,"root":{"key":"A","bytes":1,"objects":1}}'


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def connect():
    client = socket.create_connection(("127.0.0.1", PORT))
    client.settimeout(10)
    return client


def read(client):
    """What comes next: b"" if the connection has ended."""
    try:
        return client.recv(4096)
    except ConnectionError:
        return b""


def shake_hands(client):
    try:
        client.sendall(REQUEST)
    except ConnectionError:
        return False
    return read(client).startswith(b"HTTP/1.1 101")


def frame(text):
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text


def push(client, text):
    client.sendall(frame(text))
    return b"success" in read(client)


def is_in(client):
    """Whether the server still answers it."""
    try:
        client.sendall(bytes([0x89, 0x80]) + bytes(4))
    except ConnectionError:
        return False
    return read(client) == b"\x8a\x00"


def close_code(client):
    data = read(client)
    return struct.unpack(">H", data[2:4])[0] if data[:1] == b"\x88" else None


# The first one is in the middle of a step; then one that is silent, one that never begins, and 13 more that are silent.
def fill():
    active, silent, mute = connect(), connect(), connect()
    check(shake_hands(active), "the first client")
    active.sendall(frame(STEP)[:30])
    check(shake_hands(silent), "the second client")
    others = [connect() for _ in range(13)]
    for other in others:
        check(shake_hands(other), "a client")
    return active, silent, mute, others


# All have just come: another one is sent away. Unless all that took so long that the first ones are old.
for _ in range(50):
    begin = time.monotonic()
    active, silent, mute, others = fill()
    late = connect()
    is_in_place = shake_hands(late)
    if time.monotonic() - begin < 1.9:
        break
    for client in [active, silent, mute, late, *others]:
        client.close()
    time.sleep(1)
check(not is_in_place, "a place although all have just come")

time.sleep(2.1)
first = connect()
check(shake_hands(first) and push(first, b"[]"), "one that comes when 16 are silent")
check(read(mute) == b"", "the client without a handshake has to give way first")
check(is_in(silent), "who has shaken hands gives way later")
second = connect()
check(shake_hands(second) and push(second, b"[]"), "the next one")
check(close_code(silent) == 1013, "the oldest silent client gives way next, and is told")
check(is_in(others[0]), "a younger one stays")
active.sendall(frame(STEP)[30:])
check(b"success" in read(active), "who is in the middle of a step stays")
print("fine")
