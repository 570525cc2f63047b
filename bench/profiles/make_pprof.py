#!/usr/bin/env python3
"""Writes a series of heap profiles as Go writes them, a second apart.

usage: make_pprof.py FOLDER COUNT [SAMPLES [plain]]     (fixed seed; 9,000 samples are about 1 MB, 0.25 MB packed)
"""
import gzip
import os
import random
import sys


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    samples = int(sys.argv[3]) if len(sys.argv) > 3 else 9000
    plain = len(sys.argv) > 4
    chance = random.Random(1)
    texts = ["", "alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "inuse_space"]
    functions = samples // 3
    for i in range(functions):
        texts.append(f"example.com/shop/part{i % 97}.(*Store).handle{i}")
        texts.append(f"/home/build/shop/part{i % 97}/store{i % 311}.go")
    head = b"".join(block(1, number(1, a) + number(2, b)) for a, b in ((1, 2), (3, 4), (5, 2), (6, 4)))
    tables = b"".join(block(5, number(1, i + 1) + number(2, 7 + 2 * i) + number(4, 8 + 2 * i)) for i in range(functions))
    tables += b"".join(block(4, number(1, i + 1) + number(3, 0x400000 + 16 * i) + block(4, number(1, i % functions + 1) + number(2, i % 900 + 1)))
                       for i in range(functions * 2))
    tables += b"".join(block(6, text.encode()) for text in texts)
    stacks = []
    for i in range(samples):
        if stacks and chance.random() < 0.7:  # shares its outer part with another
            other = chance.choice(stacks)
            keep = chance.randrange(1, len(other))
            stack = [chance.randrange(1, functions * 2) for _ in range(chance.randrange(1, 6))] + other[keep:]
        else:
            stack = [chance.randrange(1, functions * 2) for _ in range(chance.randrange(4, 24))]
        stacks.append(stack)
    stacks = [b"".join(varint(frame) for frame in stack) for stack in stacks]
    os.makedirs(folder, exist_ok=True)
    for step in range(count):
        body = bytearray(head)
        for i, stack in enumerate(stacks):
            objects = (i * 2654435761 + step) % 1000 + (step if i % 50 == 0 else 0)
            values = b"".join(map(varint, (objects * 3 + step, (objects * 3 + step) * 96, objects, objects * 96)))
            body += block(2, block(1, stack) + block(2, values))
        body += tables + number(9, 1700000000000000000 + step * 1000000000)
        name = os.path.join(folder, f"heap{step:05d}.pb" + ("" if plain else ".gz"))
        with open(name, "wb") as out:
            out.write(body if plain else gzip.compress(bytes(body), 6))


main()
