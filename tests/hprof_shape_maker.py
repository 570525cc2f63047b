#!/usr/bin/env python3
"""Writes a heap dump of a shape on which what looks at everything again and again takes very long.

usage: hprof_shape_maker.py SHAPE COUNT FILE

  chain    objects, each of a class of its own, each held by the one before
  inherit  classes, each with a field and a subclass of the one before, with no objects but of the last
  wide     eight classes, each a subclass of the one before, with COUNT fields and COUNT static fields that are references,
           and one object of the last; COUNT is at most 65535
"""
import struct
import sys

OBJECT, NAMES, CLASSES, OBJECTS = 0x1000, 0x1000_0000, 0x2_0000_0000, 0x7_0000_0000


def ident(value):
    return struct.pack(">Q", value)


def record(tag, body):
    return struct.pack(">BII", tag, 0, len(body)) + body


def load(key, name):
    return record(0x02, struct.pack(">I", 0) + ident(key) + struct.pack(">I", 0) + ident(name))


def class_dump(key, above, field):
    body = b"\x20" + ident(key) + struct.pack(">I", 0) + ident(above) + ident(0) * 5 + struct.pack(">IHH", 0, 0, 0)
    return body + (struct.pack(">H", 1) + ident(NAMES - 8) + bytes([field]) if field else struct.pack(">H", 0))


def wide_class_dump(key, above, count):
    body = b"\x20" + ident(key) + struct.pack(">I", 0) + ident(above) + ident(0) * 5 + struct.pack(">IH", 0, 0)
    body += struct.pack(">H", count) + (ident(NAMES - 8) + b"\2" + ident(OBJECTS)) * count
    return body + struct.pack(">H", count) + (ident(NAMES - 8) + b"\2") * count


def instance(key, kind, data):
    return b"\x21" + ident(key) + struct.pack(">I", 0) + ident(kind) + struct.pack(">I", len(data)) + data


def main():
    shape, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    strings = [record(0x01, ident(NAMES - 8) + b"next"), record(0x01, ident(OBJECT) + b"java/lang/Object")]
    loads = [load(OBJECT, OBJECT)]
    heap = [b"\x05" + ident(OBJECTS), class_dump(OBJECT, 0, 0)]
    for i in range(8 if shape == "wide" else count):
        strings.append(record(0x01, ident(NAMES + 8 * i) + b"a/C%d" % i))
        loads.append(load(CLASSES + 8 * i, NAMES + 8 * i))
        if shape == "chain":
            heap.append(class_dump(CLASSES + 8 * i, OBJECT, 2))
            heap.append(instance(OBJECTS + 16 * i, CLASSES + 8 * i, ident(OBJECTS + 16 * (i + 1) if i + 1 < count else 0)))
        elif shape == "wide":
            heap.append(b"\5" + ident(CLASSES + 8 * i))
            heap.append(wide_class_dump(CLASSES + 8 * i, CLASSES + 8 * (i - 1) if i else OBJECT, count))
        else:
            heap.append(class_dump(CLASSES + 8 * i, CLASSES + 8 * (i - 1) if i else OBJECT, 8))
    if shape == "inherit":
        heap.append(instance(OBJECTS, CLASSES + 8 * (count - 1), bytes(count)))
    if shape == "wide":
        heap.append(instance(OBJECTS, OBJECT, b""))
        heap.append(b"\5" + ident(OBJECTS + 16))
        heap.append(instance(OBJECTS + 16, CLASSES + 8 * 7, ident(OBJECTS) * (8 * count)))
    with open(path, "wb") as file:
        file.write(b"JAVA PROFILE 1.0.2\0" + struct.pack(">IQ", 8, 1700000000000) + b"".join(strings + loads))
        file.write(record(0x1c, b"".join(heap)) + record(0x2c, b""))


main()
