#!/usr/bin/env python3
"""Writes a small JFR recording: jfr_maker.py FILE [--fixed] [--chunks N] [--open] [--minor N]

Two allocations of each kind and three old objects a chunk, the texts in all encodings. --fixed: integers are big-endian ones of their
type's width, not LEB128. --open: the last chunk was not finished, as a JVM that is killed leaves it.

--native leak|healthy: native allocations instead (--java: as well), as async-profiler writes them: --events of them by --threads threads, whose
buffers are written when they are full, also into the next chunk, so that they stand in no order. --sums FILE: what is alive, and was allocated, by
site at the end of each of --moments moments, by a calculation of its own.
"""
import argparse, json, random, struct

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

    def native_event(self, event):
        """(ticks, thread, site, address, size); a free has no size and no stack."""
        at, thread, site, address, size = event
        if size is None:
            return self.event(IDS["profiler.Free"], self.long(at) + self.long(thread) + self.long(0) + self.long(address))
        return self.event(IDS["profiler.Malloc"], self.long(at) + self.long(thread) + self.long(site) + self.long(address) + self.long(size))

    def chunk(self, number, minor, is_open, heap, old_count, limit, native=None, java=True, seconds=10):
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
        ns, at = 1_700_000_000_000_000_000 + number * seconds * 1_000_000_000, 1000 + number * TICKS_A_CHUNK

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
        if native is not None:
            events = native.settings(self, number, at) + (events if java else []) + [self.native_event(one) for one in native.chunks[number]]
            native.add_pools(pools)
            old = old if java else {}
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
                                        0 if is_open else seconds * 1_000_000_000, at, TICKS_A_CHUNK // seconds, flags)
        return header + body


# Each site's name, and its frames from the inside out: (library, function) or (class, method, line).
SITES = {"com.acme.Shop.add:42": [("libasyncProfiler.so", "malloc_hook"), ("libjvm.so", "os::malloc"), ("libjvm.so", "Unsafe_AllocateMemory0"),
                                  ("jdk/internal/misc/Unsafe", "allocateMemory0", 0), ("java/nio/DirectByteBuffer", "<init>", 10),
                                  ("com/acme/Shop", "add", 42), ("com/acme/Shop", "main", 7)],
         "com.acme.Shop.pack:50": [("libasyncProfiler.so", "calloc_hook"), ("libzip.so", "deflateInit2_"), ("java/util/zip/Deflater", "init", 0),
                                   ("com/acme/Shop", "pack", 50), ("com/acme/Shop", "main", 8)],
         "Compile::Compile (libjvm.so)": [("libasyncProfiler.so", "malloc_hook"), ("libjvm.so", "os::malloc"), ("libjvm.so", "Arena::grow"),
                                          ("libjvm.so", "Compile::Compile"), ("libc.so.6", "start_thread")],
         "rocksdb::Arena::AllocateNewBlock (librocksdbjni.so)": [("libasyncProfiler.so", "malloc_hook"), ("libstdc++.so.6", "operator new"),
                                                                 ("librocksdbjni.so", "rocksdb::Arena::AllocateNewBlock"),
                                                                 ("org/rocksdb/RocksDB", "put", 0), ("com/acme/Shop", "main", 9)],
         "no_Java_frame ([async-profiler])": [("", "no_Java_frame")]}
TICKS_A_CHUNK = 10_000_000
FIRST = 4  # of their stacks and threads, behind those of Java


class Native:
    """Native allocations, made up with a fixed seed."""

    def __init__(self, options):
        self.options = options
        TYPES["jdk.types.Method"][1].append(("descriptor", "jdk.types.Symbol", 1, 0))
        TYPES.update({"jdk.ActiveSetting": (107, [("startTime", "long", 0, 0), ("id", "long", 0, 0), ("name", "java.lang.String", 0, 0),
                                                  ("value", "java.lang.String", 0, 0)]),
                      "profiler.Malloc": (108, [("startTime", "long", 0, 0), ("eventThread", "java.lang.Thread", 1, 0),
                                                ("stackTrace", "jdk.types.StackTrace", 1, 0), ("address", "long", 0, 0), ("size", "long", 0, 0)]),
                      "profiler.Free": (109, [("startTime", "long", 0, 0), ("eventThread", "java.lang.Thread", 1, 0),
                                              ("stackTrace", "jdk.types.StackTrace", 1, 0), ("address", "long", 0, 0)])})
        IDS.update({name: number for name, (number, _) in TYPES.items()})
        self.chunks = self.write(self.make())

    def make(self):
        """Events in the order of time. Addresses come again; a few frees are lost, some are of blocks from before."""
        rng, options = random.Random(7), self.options
        last = options.chunks * TICKS_A_CHUNK - 1
        spare, alive, next_address = [], [], 0x7F0000001000
        step = last / max(1, options.events)
        for i in range(options.events):
            at = 1000 + int(i * step)
            thread = FIRST + rng.randrange(options.threads)
            if i < options.events // 100 and not options.nofree:
                yield at, thread, 0, 0x600000000000 + i * 16, None
                continue
            if alive and (len(alive) > 300 or rng.random() < 0.45):
                place = rng.randrange(len(alive))
                address = alive[place]
                alive[place] = alive[-1]
                alive.pop()
                spare.append(address)
                if not options.nofree and rng.random() > 0.01:
                    yield at, thread, 0, address, None
                continue
            site, size = FIRST + rng.randrange(1, 5), rng.choice((24, 100, 1000, 4096, 70_000))
            is_kept = options.native == "leak" and rng.random() < 0.02
            if spare and rng.random() < 0.9 and not is_kept:
                address = spare.pop(rng.randrange(len(spare)))
            else:
                address, next_address = next_address, next_address + (1 << 17)
            if is_kept:
                site, size = FIRST, 4096
            else:
                alive.append(address)
            if options.interval <= 1 or rng.random() * options.interval < size:
                yield at, thread, site, address, size

    def write(self, events):
        """What stands in each chunk: threads share eight buffers, of which some are full only in the next chunk."""
        chunks, buffers, room = [[] for _ in range(self.options.chunks)], [[] for _ in range(8)], 61
        for event in events:
            number = min((event[0] - 1000) // TICKS_A_CHUNK, self.options.chunks - 1)
            buffer = buffers[event[1] % 8]
            buffer.append(event)
            if len(buffer) == room:
                chunks[number] += buffer
                buffer.clear()
        for buffer in reversed(buffers):
            chunks[-1] += buffer
        return chunks

    def settings(self, writer, number, at):
        if number > 0:
            return []
        malloc = IDS["profiler.Malloc"]
        settings = [(20, "nativemem", "7"), (malloc, "nativemem", str(self.options.interval))]
        if self.options.limit_events:
            settings.append((malloc, "ratelimit", str(self.options.limit_events)))
        return [writer.event(IDS["jdk.ActiveSetting"], writer.value("jdk.ActiveSetting", (at, *setting))) for setting in settings]

    def add_pools(self, pools):
        symbols = {}

        def symbol(text):
            return symbols.setdefault(text, 1000 + len(symbols))

        classes, methods = pools["java.lang.Class"], pools["jdk.types.Method"]
        for key in methods:
            methods[key] = (*methods[key], 0)
        for place, frames in enumerate(SITES.values()):
            stack = []
            for of, name, *line in frames:
                key = 1000 + len(methods)
                classes[key] = (symbol(of), 1)
                methods[key] = (key, symbol(name), symbol("()V" if line else "()L;"))
                stack.append((key, line[0] if line else 0))
            pools["jdk.types.StackTrace"][FIRST + place] = (0, stack)
        pools["jdk.types.Symbol"].update({number: (text,) for text, number in symbols.items()})
        for i in range(self.options.threads):
            pools["java.lang.Thread"][FIRST + i] = (f"worker-{i}", f"worker-{i}")

    def sums(self):
        """By site, at each moment: objects and bytes alive, objects and bytes allocated; then frees of unknown blocks, and lost frees."""
        names, interval, moments = list(SITES), self.options.interval, self.options.moments
        events = sorted((event for chunk in self.chunks for event in chunk), key=lambda event: event[0])  # stable
        span = self.options.chunks * TICKS_A_CHUNK
        alive, now, unknown, lost, result, moment = {}, {name: [0, 0, 0, 0] for name in names}, 0, 0, [], 0

        def end(address):
            name, objects, size = alive.pop(address)
            now[name][0] -= objects
            now[name][1] -= size

        for at, _, site, address, size in events:
            while moment < min((at - 1000) * moments // span, moments - 1):
                result.append({name: list(values) for name, values in now.items()})
                moment += 1
            if size is None:
                if address in alive:
                    end(address)
                else:
                    unknown += 1
                continue
            if address in alive and not self.options.nofree:
                end(address)
                lost += 1
            name, objects = names[site - FIRST], 1
            if size < interval:
                objects, size = max(1, (2 * interval + size) // (2 * size)), interval
            alive[address] = (name, objects, size)
            for i, more in enumerate((objects, size, objects, size)):
                now[name][i] += more
        while len(result) < moments:
            result.append({name: list(values) for name, values in now.items()})
        return {"moments": result, "unknown": unknown, "lost": lost}


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
    parser.add_argument("--seconds", type=int, default=10, help="of each chunk; a divisor of 10,000,000")
    parser.add_argument("--native", choices=("leak", "healthy"))
    parser.add_argument("--java", action="store_true")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=20)
    parser.add_argument("--interval", type=int, default=0, help="bytes from a recorded malloc to the next")
    parser.add_argument("--nofree", action="store_true")
    parser.add_argument("--limit-events", type=int, default=0, help="what ratelimit was said to be")
    parser.add_argument("--moments", type=int, default=60)
    parser.add_argument("--sums")
    options = parser.parse_args()
    native = Native(options) if options.native else None
    writer = Writer(options.fixed)
    with open(options.file, "wb") as file:
        for i in range(options.chunks):
            file.write(writer.chunk(i, options.minor, options.open and i + 1 == options.chunks,
                                    [int(part) for part in options.heap.split(",") if part], options.old, options.limit, native,
                                    not options.native or options.java, options.seconds))
    if options.sums:
        with open(options.sums, "w") as file:
            json.dump(native.sums(), file)


main()
