#!/usr/bin/env python3
"""Writes a small JFR recording: jfr_maker.py FILE [--fixed] [--chunks N] [--open] [--minor N]

Two allocations of each kind and three old objects a chunk, the texts in all encodings. --fixed: integers are big-endian ones of their
type's width, not LEB128. --open: the last chunk was not finished, as a JVM that is killed leaves it.
"""
import argparse, struct

WIDTHS = {"byte": 1, "boolean": 1, "short": 2, "char": 2, "int": 4, "long": 8}
# name: (id, [(field, type, pooled, array)])
TYPES = {"byte": (4, []), "boolean": (5, []), "int": (6, []), "long": (7, []), "short": (8, []), "float": (9, []), "java.lang.String": (10, []),
         "java.lang.Class": (20, [("name", "jdk.types.Symbol", 1, 0), ("modifiers", "int", 0, 0)]),
         "jdk.types.Symbol": (21, [("string", "java.lang.String", 0, 0)]),
         "jdk.types.Method": (22, [("type", "java.lang.Class", 1, 0), ("name", "jdk.types.Symbol", 1, 0)]),
         "jdk.types.StackFrame": (23, [("method", "jdk.types.Method", 1, 0), ("lineNumber", "int", 0, 0)]),
         "jdk.types.StackTrace": (24, [("truncated", "boolean", 0, 0), ("frames", "jdk.types.StackFrame", 0, 1)]),
         "java.lang.Thread": (25, [("osName", "java.lang.String", 0, 0), ("javaName", "java.lang.String", 0, 0)]),
         "jdk.types.OldObject": (26, [("address", "long", 0, 0), ("type", "java.lang.Class", 1, 0), ("description", "java.lang.String", 0, 0),
                                      ("referrer", "jdk.types.Reference", 1, 0)]),
         "jdk.types.OldObjectArray": (27, [("size", "int", 0, 0), ("index", "int", 0, 0)]),
         "jdk.types.OldObjectField": (28, [("name", "java.lang.String", 0, 0), ("modifiers", "short", 0, 0)]),
         "jdk.types.Reference": (29, [("array", "jdk.types.OldObjectArray", 1, 0), ("field", "jdk.types.OldObjectField", 1, 0),
                                      ("object", "jdk.types.OldObject", 1, 0), ("skip", "int", 0, 0)]),
         "jdk.types.OldObjectGcRoot": (30, [("description", "java.lang.String", 0, 0), ("system", "java.lang.String", 0, 0),
                                            ("type", "java.lang.String", 0, 0)]),
         "jdk.types.GCWhen": (31, [("when", "java.lang.String", 0, 0)]),
         "jdk.types.VirtualSpace": (32, [("start", "long", 0, 0), ("share", "float", 0, 0)]),
         "jdk.ObjectAllocationSample": (100, [("startTime", "long", 0, 0), ("eventThread", "java.lang.Thread", 1, 0),
                                              ("stackTrace", "jdk.types.StackTrace", 1, 0), ("objectClass", "java.lang.Class", 1, 0),
                                              ("weight", "long", 0, 0)]),
         "jdk.OldObjectSample": (101, [("startTime", "long", 0, 0), ("eventThread", "java.lang.Thread", 1, 0),
                                       ("stackTrace", "jdk.types.StackTrace", 1, 0), ("objectSize", "long", 0, 0),
                                       ("object", "jdk.types.OldObject", 1, 0), ("root", "jdk.types.OldObjectGcRoot", 1, 0)]),
         "jdk.GCHeapSummary": (102, [("startTime", "long", 0, 0), ("when", "jdk.types.GCWhen", 1, 0),
                                     ("heapSpace", "jdk.types.VirtualSpace", 0, 0), ("heapUsed", "long", 0, 0)]),
         "jdk.GarbageCollection": (103, [("startTime", "long", 0, 0), ("cause", "java.lang.String", 0, 0), ("sumOfPauses", "long", 0, 0),
                                         ("longestPause", "long", 0, 0)]),
         "jdk.ResidentSetSize": (104, [("startTime", "long", 0, 0), ("size", "long", 0, 0)]),
         "jdk.GCHeapConfiguration": (106, [("startTime", "long", 0, 0), ("minSize", "long", 0, 0), ("maxSize", "long", 0, 0)]),
         "jdk.Unknown": (105, [("startTime", "long", 0, 0), ("texts", "java.lang.String", 0, 1)])}
IDS = {name: number for name, (number, _) in TYPES.items()}


class Writer:
    def __init__(self, fixed):
        self.fixed = fixed

    def number(self, value, width):
        if self.fixed:
            return struct.pack(">Q", value & (1 << 64) - 1)[8 - width:]
        out, value = b"", value & (1 << 64) - 1
        for _ in range(8):
            if value < 128:
                return out + bytes([value])
            out += bytes([value & 127 | 128])
            value >>= 7
        return out + bytes([value])

    def int(self, value):
        return self.number(value, 4)

    def long(self, value):
        return self.number(value, 8)

    def string(self, text):
        if text is None:
            return b"\0"
        if isinstance(text, int):
            return b"\2" + self.long(text)  # of the pool
        if text == "":
            return b"\1"
        if any(ord(c) > 255 for c in text):
            units = struct.unpack(f">{len(text.encode('utf-16-be')) // 2}H", text.encode("utf-16-be"))
            return b"\4" + self.int(len(units)) + b"".join(self.number(unit, 2) for unit in units)
        if any(ord(c) > 127 for c in text):
            return b"\5" + self.int(len(text)) + text.encode("latin1")
        return b"\3" + self.int(len(text)) + text.encode()

    def value(self, type_name, value):
        if type_name == "java.lang.String":
            return self.string(value)
        if type_name in ("byte", "boolean"):
            return bytes([value])
        if type_name == "float":
            return struct.pack(">f", value)
        if type_name in WIDTHS:
            return self.number(value, WIDTHS[type_name])
        out = b""
        for (_, of, pooled, array), part in zip(TYPES[type_name][1], value, strict=True):
            if array:
                out += self.int(len(part))
            for one in part if array else [part]:
                out += self.long(one) if pooled else self.value(of, one)
        return out

    def event(self, type_id, body):
        """Its size counts itself."""
        body = self.long(type_id) + body
        width = 4 if self.fixed else next(n for n in range(1, 5) if len(body) + n < 1 << 7 * n)
        return self.int(len(body) + width) + body

    def metadata(self):
        strings = []

        def index(text):
            if text not in strings:
                strings.append(text)
            return self.int(strings.index(text))

        def element(name, attributes, children=()):
            out = index(name) + self.int(len(attributes)) + b"".join(index(k) + index(v) for k, v in attributes.items())
            return out + self.int(len(children)) + b"".join(children)

        classes = []
        for name, (number, fields) in TYPES.items():
            children = []
            for field, of, pooled, array in fields:
                attributes = {"name": field, "class": str(IDS[of])}
                attributes |= {"constantPool": "true"} if pooled else {}
                attributes |= {"dimension": "1"} if array else {}
                children.append(element("field", attributes, [element("annotation", {"class": "20", "value": "what"})]))
            classes.append(element("class", {"name": name, "id": str(number)}, children))
        root = element("root", {}, [element("metadata", {}, classes), element("region", {"locale": "en_US"})])
        body = self.long(5) + self.long(0) + self.long(1) + self.int(len(strings)) + b"".join(map(self.string, strings)) + root
        return self.event(0, body)

    def checkpoint(self, pools, delta):
        body = self.long(7) + self.long(0) + self.long(delta) + b"\0" + self.int(len(pools))
        for name, entries in pools.items():
            body += self.long(IDS[name]) + self.int(len(entries))
            for number, value in entries.items():
                body += self.long(number) + self.value(name, value)
        return self.event(1, body)

    def chunk(self, number, minor, is_open, heap, old_count, limit):
        symbols = {1: "com/acme/Shop", 2: "[B", 3: "java/util/HashMap", 4: "add", 5: "main", 6: "java/lang/Class", 7: "Grün", 8: "пуск🚀",
                   9: 40, 10: "[Ljava/util/HashMap$Node;", 11: "com/acme/Shop$$Lambda$14+0x000000080"}
        pools = {"java.lang.String": {40: "com/acme/Session"},
                 "jdk.types.Symbol": {k: (v,) for k, v in symbols.items()},
                 "java.lang.Class": {1: (1, 1), 2: (2, 1), 3: (3, 1), 6: (6, 1), 9: (9, 1), 10: (10, 1), 11: (11, 1)},
                 "jdk.types.Method": {1: (1, 4), 2: (1, 5), 3: (3, 7), 4: (11, 8)},
                 "jdk.types.StackTrace": {1: (0, [(3, 12), (1, 42), (2, 7)]), 2: (0, [(4, 0), (2, 9)]), 3: (1, [])},
                 "java.lang.Thread": {1: ("main", "main"), 2: ("os-2", None), 3: ("", "")},
                 "jdk.types.GCWhen": {1: ("Before GC",), 2: ("After GC",)}}
        old = {"jdk.types.OldObjectArray": {1: (16, 3), 2: (16, 5)},
               "jdk.types.OldObjectField": {1: ("SESSIONS", 8), 2: ("table", 0), 3: ("cache", 0)},
               "jdk.types.OldObject": {1: (4096, 9, None, 1), 2: (4104, 9, None, 4), 3: (4112, 10, None, 2), 4: (4120, 3, "Size: 2", 3),
                                       5: (4128, 6, "Class Name: com.acme.Shop", 0), 6: (4136, 2, None, 5), 7: (4144, 1, "Thread Name: main", 0)},
               "jdk.types.Reference": {1: (1, 0, 3, 0), 2: (0, 2, 4, 0), 3: (0, 1, 5, 0), 4: (2, 0, 3, 0), 5: (0, 3, 7, 0)},
               "jdk.types.OldObjectGcRoot": {1: ("N/A", "Threads", "Stack Variable")}}
        ns, at = 1_700_000_000_000_000_000 + number * 10_000_000_000, 1000 + number * 10_000_000

        def event(name, *values):
            return self.event(IDS[name], self.value(name, values))

        events = [event("jdk.ObjectAllocationSample", at + 1, 1, 1, 9, 1000),
                  event("jdk.ObjectAllocationSample", at + 5_000_000, 2, 2, 2, 200),
                  event("jdk.Unknown", at + 3, ["a", None, "ü", 40]),
                  event("jdk.GCHeapSummary", at + 100, 1, (0, 0.5), 9_000_000),
                  event("jdk.GCHeapSummary", at + 200, 2, (0, 0.5), 5_000_000 + number),
                  event("jdk.GarbageCollection", at + 100, "Allocation Failure", 30_000, 30_000),
                  event("jdk.ResidentSetSize", at + 300, 77_000_000),
                  event("jdk.OldObjectSample", at + 9_000_000, 1, 1, 24, 1, 0),
                  event("jdk.OldObjectSample", at + 9_000_000, 1, 1, 24, 2, 0),
                  event("jdk.OldObjectSample", at + 9_000_000, 3, 3, 0, 6, 1)]
        events += [event("jdk.GCHeapSummary", at + 9_990_000 * i // len(heap) + 500, 2, (0, 0.5), used << 20) for i, used in enumerate(heap)]
        events += [event("jdk.OldObjectSample", at + 9_000_000, 1, 1, 24, 1, 0)] * old_count
        if limit > 0:
            events += [event("jdk.GCHeapConfiguration", at + 2, 1 << 20, limit << 20)]
        header_size = 68
        body = b"".join(events[:4])
        first = header_size + len(body)
        body += self.checkpoint(pools, 0) + b"".join(events[4:])
        last = header_size + len(body)
        body += self.checkpoint(old, first - last if not self.fixed else 0)
        metadata = header_size + len(body)
        body += self.metadata()
        size = header_size + len(body)
        flags = (0 if self.fixed else 1) | (255 << 24 if is_open else 0)
        header = b"FLR\0" + struct.pack(">HHQQQQQQQI", 2, minor, 0 if is_open else size, last, 0 if is_open else metadata, ns,
                                        0 if is_open else 10_000_000_000, at, 1_000_000, flags)
        return header + body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--chunks", type=int, default=2)
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--minor", type=int, default=1)
    parser.add_argument("--heap", default="", help="MiB after collections, separated by commas, in each chunk")
    parser.add_argument("--old", type=int, default=0, help="further old objects in each chunk")
    parser.add_argument("--limit", type=int, default=0, help="MiB that the heap may become")
    options = parser.parse_args()
    writer = Writer(options.fixed)
    with open(options.file, "wb") as file:
        for i in range(options.chunks):
            file.write(writer.chunk(i, options.minor, options.open and i + 1 == options.chunks,
                                    [int(part) for part in options.heap.split(",") if part], options.old, options.limit))


main()
