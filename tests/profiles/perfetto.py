#!/usr/bin/env python3
"""Writes traces of Perfetto as heapprofd does, of a program that is made up, and compares all stacks and sums with what memcity reads.

usage: perfetto.py MEMCITY FOLDER     (exit code 1 if anything differs)
       perfetto.py --leak FILE        (a shop whose sessions stay; tests/data/profiles/heapprofd.pftrace)

heapprofd is no package of Debian 12: the bytes follow its protocol buffers (trace_packet.proto, profile_packet.proto, interned_data.proto)
and the order in which it writes them (bookkeeping_dump.cc).
"""
import os
import random
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reference import add, compare, name_frame, read_memcity, trim, varint  # noqa: E402

REAL_NS, BOOT_NS = 1_750_000_000_000_000_000, 86_400_000_000_123
MODULES = ["/system/lib64/libshop.so", "/data/app/com.acme/base.apk/libcart.so", "/apex/com.android.art/lib64/libart.so"]


# A method of Java that R8 made short, what it stands for in its own app, and where it was.
SHORT, REAL, APP = "a.f", "com.acme.Cart.add", "/data/app/~~Zx0==/com.acme.shop-1zG==/base.apk"


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, *parts):
    data = b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    return varint(field << 3 | 2) + varint(len(data)) + data


class Writer:
    """A sequence of packets; old: all that is interned is in the profile packets themselves."""

    def __init__(self, out, sequence, old):
        self.out, self.sequence, self.old, self.index = out, sequence, old, 0
        self.clear()

    def clear(self):
        self.ids, self.new = {}, []

    def packet(self, *parts):
        self.out.append(message(1, *parts, number(3, 1000), number(10, self.sequence)))

    def intern(self, kind, key, make):
        """The number of a key; what defines it goes into the next interned data."""
        if (kind, key) not in self.ids:
            iid = self.ids[kind, key] = len(self.ids) + 1
            field = {"function": (5, 1), "path": (17, 1), "source": (18, 1), "mapping": (19, 4), "frame": (6, 2), "callstack": (7, 3)}[kind][self.old]
            self.new.append(message(field, number(1, iid), make()))
        return self.ids[kind, key]

    def text(self, kind, words):
        return self.intern("path" if self.old else kind, words, lambda: message(2, words)) if words else 0

    def mapping(self, path):
        parts = [self.text("path", part) for part in path.split("/")[1:]]
        return self.intern("mapping", path, lambda: number(4, 4096) + b"".join(number(7, part) for part in parts))

    def frame(self, frame):
        function, path, pc, source, line = frame
        ids = self.text("function", function), self.mapping(path), self.text("source", source)
        return self.intern("frame", frame, lambda: b"".join((number(2, ids[0]), number(3, ids[1]), number(4, pc), number(5, ids[2]), number(6, line))))

    def callstack(self, stack):
        """The innermost frame first in `stack`, last in the file."""
        frames = [self.frame(frame) for frame in reversed(stack)]
        packed = message(2, b"".join(map(varint, frames)))
        loose = b"".join(number(2, frame) for frame in frames)
        return self.intern("callstack", stack, lambda: random.choice((packed, loose)))

    def dump(self, time_ns, pid, heap, counts, cleared=False, at_most=False):
        """counts: by stack objects and bytes, allocated and freed."""
        if cleared:
            self.clear()
        samples = []
        for stack, (count, size, freed_count, freed_size) in counts.items():
            values = number(8, size) + number(9, count) if at_most else number(2, size) + number(3, freed_size) + number(5, count) + number(6, freed_count)
            samples.append(message(2, number(1, self.callstack(stack)), values))
        interned, self.new = self.new, []
        parts = random.randrange(1, 4)
        for part in range(parts):
            dump = message(5, number(1, pid), message(11, heap) if heap else b"", number(9, 5), *samples[part::parts])
            more = b"".join(interned) if self.old and part == 0 else b""
            self.packet(number(8, time_ns), number(41, 1) if cleared and part == 0 else b"",
                        message(37, more, dump, number(6, 1), number(7, self.index)))
            self.index += 1
        if not self.old:
            self.packet(number(8, time_ns), message(12, *interned))
        self.packet(number(8, time_ns), message(37, number(7, self.index)))
        self.index += 1


def begin():
    """What a service writes first."""
    clocks = [message(1, number(1, clock), number(2, time)) for clock, time in ((6, BOOT_NS), (1, REAL_NS), (3, BOOT_NS - 77))]
    return [message(1, message(36, b"\x82\x47\x7a\x76\xb2\x8d\x42\xba"), number(3, 9999), number(10, 1)),
            message(1, message(6, *clocks), number(3, 9999), number(10, 1), number(8, BOOT_NS))]


def noise(out):
    """Packets of others: one that interns other things by the same numbers."""
    out.append(message(1, message(12, message(5, number(1, 1), message(2, "other")), message(7, number(1, 1), number(2, 1))), number(3, 7), number(10, 99)))
    out.append(message(1, message(1, b"\x08\x01"), number(3, 7), number(10, 98), varint(200 << 3 | 1) + b"12345678", varint(201 << 3 | 5) + b"1234"))


def tell_real_names(out):
    """As traceconv appends them: of the app, whose methods of another name are two, and of another one."""
    def tell(package, owner, *methods):
        parts = [message(4, message(1, short), message(2, real)) for short, real in methods]
        out.append(message(1, message(64, message(1, package), message(3, message(1, "a"), message(2, owner), *parts))))

    tell("com.acme.other", "com.acme.Wrong", ("f", "wrong"))
    tell("com.acme.shop", "com.acme.Cart", ("f", "add"), ("f", "add"), ("g", "one"), ("g", "two"))


def get_name(stack):
    stack = [((REAL if function == SHORT else "com.acme.Cart.g") if path == APP else function, path, *rest) for function, path, *rest in stack]
    return trim([name_frame(function, source, line, path, pc) if function else name_frame("", source, line, path, pc) for function, path, pc, source, line in stack])


def compress(packets, has_all):
    """As a service with compression: runs of packets in one each. Not has_all: some stay as they are."""
    out, at = [], 0
    while at < len(packets):
        count = random.randrange(1, 6)
        run_of, at = packets[at:at + count], at + count
        out += [message(1, message(50, zlib.compress(b"".join(run_of))))] if has_all or random.random() < 0.5 else run_of
    return out


def run(seed, old, at_most):
    random.seed(seed)
    frames = [(random.choice(["", f"Shop::part{i}(int)"]), random.choice(MODULES), 0x1000 + 16 * i, random.choice(["", f"/src/part{i}.cc"]), i)
              for i in range(40)]
    frames = [(function, path, pc, source, line if source else 0) for function, path, pc, source, line in frames]
    frames += [(SHORT, APP, 0x9000, "", 0), ("a.g", APP, 0x9010, "", 0)]
    stacks = [tuple(random.choice(frames) for _ in range(random.randrange(1, 20))) for _ in range(60)]
    out, steps, counts = begin(), {}, {}
    writer = Writer(out, 5, old)
    for step in range(6):
        time_ns = BOOT_NS + (step + 1) * 1_000_000_007
        for stack in random.sample(stacks, 30):
            count = counts.setdefault(stack, [0, 0, 0, 0])
            count[0] += 9
            count[1] += random.randrange(9000)
            count[2] += random.randrange(9)
            count[3] = random.randrange(count[1] + 1)
        noise(out)
        writer.dump(time_ns, 4711, "libc.malloc", counts, cleared=step in (0, 3), at_most=at_most)
        if step == 5:
            tell_real_names(out)
        wanted = steps[(REAL_NS + time_ns - BOOT_NS) // 1_000_000] = {}
        for stack, (count, size, freed_count, freed_size) in counts.items():
            if at_most:
                values = {"objects": count, "bytes": size}
            else:
                values = {"objects": count - freed_count, "bytes": size - freed_size, "alloc_objects": count, "alloc_bytes": size}
            add(wanted, get_name(stack), values)
    return out, steps


def write_leak(path):
    random.seed(1)
    out, counts = begin(), {}
    writer = Writer(out, 5, False)
    start, main = ("__libc_init", MODULES[2], 0x100, "", 0), ("main", MODULES[0], 0x2000, "", 0)
    malloc, leak = ("malloc", MODULES[2], 0x300, "", 0), ("Shop::openSession(int)", MODULES[0], 0x3000, "/src/shop.cc", 18)
    other = ("Shop::render()", MODULES[0], 0x4000, "/src/view.cc", 7)
    for step in range(6):
        counts[malloc, leak, main, start] = [step * 100 + 10, step * 51200 + 5120, 0, 0]
        counts[malloc, other, main, start] = [step * 900 + 9, step * 90000 + 900, step * 900, step * 90000]
        writer.dump(BOOT_NS + (step + 1) * 10_000_000_000, 4711, "libc.malloc", counts, cleared=step == 0)
    with open(path, "wb") as file:
        file.write(b"".join(out))


def write_pair(path):
    """Two processes and two heaps, in two rounds."""
    out = begin()
    writers = Writer(out, 5, False), Writer(out, 6, False)
    stack = (("work", MODULES[0], 0x2000, "", 0),)
    for step in range(2):
        for index, writer in enumerate(writers):
            for heap in ("", "com.acme.arena"):
                writer.dump(BOOT_NS + (step + 1) * 10_000_000_000 + index * 1_000_000, 100 + index, heap, {stack: [step + 1, 1000 * (index + 1), 0, 0]}, step == 0 and not heap)
    with open(path, "wb") as file:
        file.write(b"".join(out))


def main():
    if sys.argv[1] == "--leak":
        return write_leak(sys.argv[2])
    memcity, folder = sys.argv[1:]
    failed = 0
    for old in (False, True):
        for at_most in (False, True):
            packets, steps = run(10 + old, old, at_most)
            for packing, data in enumerate((packets, compress(packets, True), compress(packets, False))):
                path = f"{folder}/trace-{int(old)}-{int(at_most)}-{packing}.pftrace"
                with open(path, "wb") as out:
                    out.write(b"".join(data))
                found = read_memcity(memcity, [path])
                wrong = compare(list(found.values()), list(steps.values()))
                if list(found) != list(steps):
                    wrong.append(f"times {list(found)} instead of {list(steps)}")
                for line in wrong[:5]:
                    print(f"{path}: {line}")
                failed += len(wrong)
    write_pair(f"{folder}/pair.pftrace")
    print(f"perfetto: {failed} differences")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
