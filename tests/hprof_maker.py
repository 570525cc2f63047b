#!/usr/bin/env python3
"""Writes a heap dump by hand, with what real ones seldom have.

usage: hprof_maker.py FILE [--id-size 4|8] [--seed N] [--objects N] [--layout one|segments|endless]
                      [--ids dense|sparse|odd] [--android] [--classes N]
                      [--no-roots] [--loose] [--wide]

  --layout  one record 0C, many 1C, or one 0C whose length says 0
  --loose   few references, so that not everything is reached
  --wide    hardly a class has another one above it, and they have instances in turn
  --ids     addresses in one place, or all over the address space, or numbers that are no addresses
"""
import argparse
import random
import struct

WIDTHS = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--id-size", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--objects", type=int, default=500)
    parser.add_argument("--classes", type=int, default=20)
    parser.add_argument("--layout", default="segments")
    parser.add_argument("--ids", default="dense")
    parser.add_argument("--android", action="store_true")
    parser.add_argument("--no-roots", action="store_true")
    parser.add_argument("--loose", action="store_true")
    parser.add_argument("--wide", action="store_true")
    maker = Maker(parser.parse_args())
    with open(maker.options.file, "wb") as file:
        file.write(maker.make())


class Maker:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.next_address = 0x10000 if options.id_size == 4 else 0x7_0000_0000
        self.used = set()
        self.instance_count = 0
        self.strings = {}

    def ident(self, value):
        return value.to_bytes(self.options.id_size, "big")

    def new_id(self):
        bits = 8 * self.options.id_size
        while True:
            if self.options.ids == "dense":
                self.next_address += 8 * self.random.randint(1, 40)
                key = self.next_address
            elif self.options.ids == "sparse":
                key = self.random.getrandbits(bits - 1) & ~7
            else:
                self.next_address += self.random.randint(1, 3)
                key = self.next_address
            if key and key not in self.used:
                self.used.add(key)
                return key

    @staticmethod
    def record(tag, body, length=None):
        return struct.pack(">BII", tag, 0, len(body) if length is None else length) + body

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = 0x100 + len(self.strings)
        return self.strings[text]

    def value(self, kind):
        if kind != 2:
            return self.random.randbytes(WIDTHS[kind])
        chance = self.random.random()
        if chance < (0.6 if self.options.loose else 0.1):
            return self.ident(0)
        if chance < (0.62 if self.options.loose else 0.15):
            return self.ident(self.random.getrandbits(31) | 1 << 30)  # dangling, most likely
        if chance < (0.63 if self.options.loose else 0.4):
            return self.ident(self.ids[self.random.randrange(min(20, len(self.ids)))])
        return self.ident(self.random.choice(self.ids))

    def make_classes(self):
        """(id, name, superclass, fields); some are only named, some not even that."""
        names = ["java/lang/Object", "java/lang/Class", "java/lang/String", "NoPackage",
                 "a/b/C$D", "a/b/Hidden+0x0000000800c03000", "\u00e4/\u00f6",
                 "java/lang/ref/Reference", "java/lang/ref/WeakReference", "p4/q/Type9",
                 "java/lang/ref/SoftReference", "java/lang/ref/FinalReference"]
        self.classes = []
        for i in range(self.options.classes):
            name = names[i] if i < len(names) else f"p{i % 5}/q/Type{i}"
            near = self.classes[:10] if self.options.wide else self.classes
            above = self.random.choice(near)[0] if i else 0
            if i in (8, 10, 11):
                above = self.classes[7][0]
            if i == 9:
                above = 0x123456  # a superclass that is missing
            fields = [self.random.choice([2, 2, 2, 4, 5, 8, 10, 11])
                      for _ in range(self.random.randrange(5) if i else 0)]
            if i == 7:
                fields = [10, 2, 2]  # the second one is the weak one
            self.classes.append((self.new_id(), name, above, fields))
        self.by_id = {entry[0]: entry for entry in self.classes}
        self.array_classes = [(self.new_id(), f"[L{name};", self.classes[0][0], [])
                              for _, name, _, _ in self.classes[:5]]
        self.array_classes.append((self.new_id(), "[[I", self.classes[0][0], []))
        self.named_only = (self.new_id(), "q/Undescribed", 0, [2, 2])
        self.unknown = (self.new_id(), None, 0, [2])

    def class_dump(self, entry):
        key, _, above, fields = entry
        statics = [self.random.choice([2, 2, 10]) for _ in range(self.random.randrange(4))]
        constants = [2] if self.random.random() < 0.2 else []
        body = b"\x20" + self.ident(key) + struct.pack(">I", 0) + self.ident(above)
        body += self.value(2) + self.ident(0) + self.value(2) + self.ident(0) * 2
        body += struct.pack(">IH", 0, len(constants))
        for kind in constants:
            body += struct.pack(">HB", 1, kind) + self.value(kind)
        body += struct.pack(">H", len(statics))
        for i, kind in enumerate(statics):
            body += self.ident(self.string(f"static{i}")) + bytes([kind]) + self.value(kind)
        body += struct.pack(">H", len(fields))
        for i, kind in enumerate(fields):
            name = "referent" if i == 1 and key == self.classes[7][0] else f"field{i}"
            body += self.ident(self.string(name)) + bytes([kind])
        return body

    def fields_of(self, entry):
        fields = list(entry[3])
        while entry[2] in self.by_id:
            entry = self.by_id[entry[2]]
            fields += entry[3]
        return fields

    def instance(self, key):
        chance = self.random.random()
        entry = self.random.choice(self.classes)
        if self.options.wide:
            entry = self.classes[self.instance_count % len(self.classes)]
            self.instance_count += 1
        elif chance < 0.03:
            entry = self.named_only
        elif chance < 0.05:
            entry = self.unknown
        data = b"".join(self.value(kind) for kind in self.fields_of(entry))
        return (b"\x21" + self.ident(key) + struct.pack(">I", 0) + self.ident(entry[0]) +
                struct.pack(">I", len(data)) + data)

    def array(self, key):
        count = self.random.choice([0, 1, 3, 50, 3000 if key % 7 == 0 else 2])
        if self.random.random() < 0.5:
            entry = self.random.choice(self.array_classes)
            data = b"".join(self.value(2) for _ in range(count))
            return (b"\x22" + self.ident(key) + struct.pack(">II", 0, count) +
                    self.ident(entry[0]) + data)
        kind = self.random.choice(list(WIDTHS))
        has_data = not (self.options.android and self.random.random() < 0.5)
        head = self.ident(key) + struct.pack(">IIB", 0, count, kind)
        if not has_data:
            return b"\xc3" + head
        return b"\x23" + head + self.random.randbytes(count * WIDTHS[kind])

    def roots(self):
        """Of every kind, some of objects that are not there."""
        def some():
            return self.ident(self.random.choice(self.ids + [0x77777770]))
        two, four = bytes(8), bytes(4)
        body = b"\x05" + some() + b"\x01" + some() * 2 + b"\x03" + some() + struct.pack(">II", 1, 0)
        body += b"\x02" + some() + struct.pack(">II", 1, 1) + b"\x08" + some() + struct.pack(">II", 1, 1)
        body += b"\xff" + some() + b"\x04" + some() + four + b"\x06" + some() + four + b"\x07" + some()
        if self.options.android:
            body += b"\xfe" + four + self.ident(self.ids[0]) + b"\x89" + some() + b"\x8e" + some() + two
            body += b"".join(tag + some() for tag in (b"\x8a", b"\x8b", b"\x8c", b"\x8d"))
            body += b"\x90" + self.ident(self.ids[1])
        return b"" if self.options.no_roots else body

    def make(self):
        options = self.options
        self.make_classes()
        object_ids = [self.new_id() for _ in range(options.objects)]
        self.ids = object_ids + [entry[0] for entry in self.classes]
        described = self.classes + self.array_classes
        # a class that comes behind its instances, and in another order than its subclasses
        heap = [self.class_dump(entry) for entry in reversed(described[:-3])] + [self.roots()]
        heap += [self.array(key) if self.random.random() < 0.3 else self.instance(key)
                 for key in object_ids]
        heap += [self.class_dump(entry) for entry in described[-3:]]

        loads = b"".join(self.record(0x02, struct.pack(">I", serial) + self.ident(entry[0]) +
                                     struct.pack(">I", 0) + self.ident(self.string(entry[1])))
                         for serial, entry in enumerate(described + [self.named_only]))
        strings = b"".join(self.record(0x01, self.ident(key) + text.encode())
                           for text, key in self.strings.items())
        version = b"1.0.3" if options.android else b"1.0.2"
        out = b"JAVA PROFILE " + version + b"\0" + struct.pack(">IQ", options.id_size, 1700000000000)
        out += strings + loads + self.record(0x05, bytes(12)) + self.record(0x77, b"what?")
        if options.layout == "one":
            return out + self.record(0x0c, b"".join(heap))
        if options.layout == "endless":
            return out + self.record(0x0c, b"".join(heap), 0)
        at = 0
        while at < len(heap):
            count = self.random.randint(1, 40)
            out += self.record(0x1c, b"".join(heap[at:at + count]))
            at += count
        return out + self.record(0x1c, b"") + self.record(0x2c, b"")


main()
