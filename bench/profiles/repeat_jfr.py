#!/usr/bin/env python3
"""Makes a large JFR recording of a small one: its chunks again and again, each later than the one before. repeat_jfr.py FILE MIB OUT"""
import struct, sys


def main():
    data, size = open(sys.argv[1], "rb").read(), int(sys.argv[2]) << 20
    chunks, at = [], 0
    while at < len(data):
        chunk_size, = struct.unpack_from(">Q", data, at + 8)
        chunks.append(data[at:at + chunk_size])
        at += chunk_size
    start_ns = min(struct.unpack_from(">Q", chunk, 32)[0] for chunk in chunks)
    span_ns = max(sum(struct.unpack_from(">QQ", chunk, 32)) for chunk in chunks) - start_ns
    with open(sys.argv[3], "wb") as out:
        for i in range(-(-size // len(data))):
            for chunk in chunks:
                later = bytearray(chunk)
                struct.pack_into(">Q", later, 32, struct.unpack_from(">Q", chunk, 32)[0] + i * span_ns)
                out.write(later)


main()
