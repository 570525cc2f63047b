#!/usr/bin/env python3
"""Writes recordings as memray does, of a program that is made up, and compares all stacks and sums with what memcity reads.

usage: memray.py MEMCITY FOLDER      (exit code 1 if anything differs)
       memray.py --leak FILE         (a shop whose sessions stay; tests/data/profiles/memray-leak.bin)

memray is no package of Debian 12: the bytes follow its grammar (record_writer.cpp), the sums are those of the made-up program, and the
lines those that Python itself has for its code (co_lines).
"""
import collections
import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reference import add, compare, name_frame, read_memcity, trim  # noqa: E402

FREE, MALLOC, CALLOC, MMAP, MUNMAP, PYMALLOC_FREE, PYMALLOC_MALLOC = 5, 6, 8, 14, 15, 1, 2
START_MS = 1_750_000_000_000
SOURCE = """
def serve(requests):
    for request in requests:
        session = open_session(
            request,
            size=len(request))
        yield session

def open_session(request, size):
    data = bytearray(size)
    SESSIONS[request] = data
    return {
        "data": data,
        "name": str(request)}

class Cache:
    def get(self, key):
        if key not in self.entries:
            self.entries[key] = [key] * 100
        return self.entries[key]
"""


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def signed(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def text(words):
    return words.encode() + b"\0"


class Writer:
    """The bytes of a version of the format."""

    def __init__(self, version, native):
        self.version, self.native, self.last, self.recent = version, native, collections.Counter(), [0] * 15
        self.frames, self.codes, self.thread = {}, {}, None
        head = b"memray\0" + struct.pack("<i", version)
        if version >= 12:
            head += struct.pack("<i", sys.hexversion)
        head += struct.pack("<BB", native, 0) + struct.pack("<QQqq", 10, 10, START_MS, START_MS + 99999) + text("python3 shop.py")
        head += struct.pack("<iQQB", 4711, 77, 2, 1) + b"\1" + (b"\0" if version >= 12 else b"")
        if version >= 13:
            head += text("/usr/lib/python3.11") + text("/usr/lib/python3/dist-packages") + b"\0" + text("/srv/app") + text("/usr/lib") + b"\0"
        self.out = [head]

    def put(self, *parts):
        self.out.append(b"".join(parts))

    def delta(self, kind, value):
        change = value - self.last[kind]
        self.last[kind] = value
        return signed(change)

    def switch(self, thread):
        if self.thread != thread:
            self.put(bytes([12]), struct.pack("<Q", thread))
            self.put(bytes([10]), text(f"worker {thread}"))
            self.thread = thread

    def push(self, code, instruction, line):
        if self.version >= 12:
            if code not in self.codes:
                number = self.codes[code] = len(self.codes) * 3 + 5
                self.put(bytes([14]), varint(number), text(code.co_name), text(code.co_filename), self.delta("line", code.co_firstlineno),
                         varint(len(code.co_linetable)), code.co_linetable)
            self.put(bytes([64 | random.getrandbits(1)]), varint(self.codes[code]), signed(instruction))
            return
        key = (code, line)
        if key not in self.frames:
            self.frames[key] = len(self.frames)
            self.put(bytes([3 | random.getrandbits(1) << 4]), self.delta("frame", self.frames[key]), text(code.co_name), text(code.co_filename),
                     self.delta("line", line))
        self.put(bytes([4]), self.delta("frame", self.frames[key]))

    def pop(self, count):
        while count > 0:
            now = min(count, 16)
            self.put(bytes([16 | now - 1 if self.version >= 12 else 9 | now - 1 << 4]))
            count -= now

    def address(self, address):
        if address in self.recent:
            return self.recent.index(address), b""
        self.recent = [address] + self.recent[:-1]
        return 15, self.delta("address", address >> 3)

    def allocation(self, allocator, address, size):
        is_free = allocator in (FREE, PYMALLOC_FREE)
        if self.version >= 12:
            place, more = self.address(address)
            self.put(bytes([128 | place << 3 | (allocator if allocator < 8 else 0)]), more, bytes([allocator]) if allocator >= 8 else b"",
                     self.delta("native", random.randrange(9)) if self.native and not is_free else b"", b"" if is_free else varint(size))
        elif self.native:
            self.put(bytes([2 | allocator << 4]), self.delta("address", address), varint(0 if is_free else size),
                     self.delta("native", random.randrange(9)))
        else:
            self.put(bytes([1 | allocator << 4]), self.delta("address", address), b"" if is_free else varint(size))

    def tick(self, time, resident):
        self.put(bytes([2 if self.version >= 12 else 11]), varint(resident), varint(time))

    def noise(self):
        """What memcity passes over."""
        self.put(bytes([5]), self.delta("instruction", 0x7f00 + random.randrange(99)), self.delta("native", random.randrange(9)))
        self.put(bytes([6, 7]), text("/usr/lib/libc.so.6"), varint(1), struct.pack("<Q", 0x7f0000), bytes([8]), struct.pack("<Q", 4096), varint(99))
        if self.version >= 12:
            place, more = self.address(random.randrange(1 << 20) << 3)
            self.put(bytes([32 | place << 1]), more)
            self.put(b"\0")

    def finish(self):
        self.put(bytes([1 if self.version >= 12 else 16]), b"\0" * 100)
        return b"".join(self.out)


class Model:
    """What is alive, by stacks."""

    def __init__(self):
        self.counts, self.blocks, self.ranges, self.last = {}, {}, {}, None
        self.bytes = self.peak_bytes = 0
        self.peak, self.time, self.ticks = {}, 0, collections.OrderedDict()

    def get_step(self):
        return {stack: dict(values) for stack, values in self.counts.items()}

    def count(self, stack, size, sign):
        if sign > 0:
            add(self.counts, stack, {"objects": 1, "bytes": size, "alloc_objects": 1, "alloc_bytes": size, "temporary": 0})
        else:
            add(self.counts, stack, {"objects": -1, "bytes": -size, "temporary": int(self.last == (stack, size))})
        self.last = (stack, size) if sign > 0 else None
        self.bytes += sign * size
        if self.bytes > self.peak_bytes:
            self.peak_bytes, self.peak = self.bytes, (self.time, self.get_step())

    def free(self, address):
        if address in self.blocks:
            self.count(*self.blocks.pop(address), -1)

    def allocate(self, address, stack, size):
        self.free(address)
        self.blocks[address] = (stack, size)
        self.count(stack, size, 1)

    def unmap(self, begin, end):
        for first in sorted(self.ranges):
            last, stack = self.ranges[first]
            if first >= end or last <= begin:
                continue
            del self.ranges[first]
            self.count(stack, last - first, -1)
            if first < begin:
                self.map(first, begin, stack)
            if last > end:
                self.map(end, last, stack)

    def map(self, begin, end, stack):
        self.ranges[begin] = (end, stack)
        self.count(stack, end - begin, 1)


def get_codes():
    found, open_codes = [], [compile(SOURCE, "/srv/app/shop.py", "exec"), compile("\n" * 700 + SOURCE, "/srv/app/café.py", "exec")]
    while open_codes:
        code = open_codes.pop()
        found.append(code)
        open_codes += [c for c in code.co_consts if hasattr(c, "co_code")]
    return found


def get_lines(code):
    """By the place of each instruction, where Python knows its line."""
    return {at: line for begin, end, line in code.co_lines() if line for at in range(begin, end, 2)}


def run(version, native, seed):
    random.seed(seed)
    writer, model, codes = Writer(version, native), Model(), get_codes()
    stacks = {77: [], 5: [], 6: []}
    times = sorted(random.sample(range(1, 5000), 60))
    for event in range(6000):
        thread = random.choice([77, 77, 5, 6])
        stack = stacks[thread]
        writer.switch(thread)
        what = random.random()
        shown = [frame for _, frame in stack[2 if thread == 77 else 0:]]
        name = trim([name_frame(code.co_name, code.co_filename, line) for code, line in reversed(shown)])
        if event % 100 == 0 and event > 0:
            model.time = times[event // 100 - 1]
            writer.tick(model.time, 1 << 20 | event)
            model.ticks[START_MS + model.time] = model.get_step()
            writer.noise()
        elif what < 0.25 and len(stack) < 24:
            code = random.choice(codes)
            instruction, line = random.choice(sorted(get_lines(code).items()))
            writer.push(code, instruction, line)
            stack.append((thread, (code, line)))
        elif what < 0.4 and stack:
            count = random.randrange(1, min(len(stack), 20) + 1)
            writer.pop(count)
            del stack[-count:]
        elif what < 0.75:
            address, size = random.randrange(1, 3000) << 4, random.randrange(0, 5000)
            writer.allocation(random.choice([MALLOC, CALLOC, PYMALLOC_MALLOC]), address, size)
            model.allocate(address, name, size)
        elif what < 0.95:
            address = random.choice(sorted(model.blocks)) if model.blocks and random.random() < 0.9 else 8
            writer.allocation(random.choice([FREE, PYMALLOC_FREE]), address, 0)
            model.free(address)
        else:
            begin = 0x7f0000000000 + random.randrange(50) * 4096
            size, is_map = random.randrange(1, 9) * 4096, random.random() < 0.5
            writer.allocation(MMAP if is_map else MUNMAP, begin, size)
            model.unmap(begin, begin + size)
            if is_map:
                model.map(begin, begin + size, name)
    return writer.finish(), model


def check(memcity, path, model, *options):
    found = read_memcity(memcity, [path], *options)
    times, wanted = list(found), []
    peak_time, at_peak = model.peak
    for time in times:
        best = model.get_step() if time == times[-1] else model.ticks.get(time)
        if time != times[-1] and time - START_MS - peak_time in (0, 1) and (best is None or compare([found[time]], [best])):
            best = at_peak
        wanted.append(best or {})
    wrong = compare(list(found.values()), wanted)
    if all(compare([step], [at_peak]) for step in found.values()):
        wrong.append("no step is the peak")
    if len(times) < 10 or not any(map(len, wanted)):
        wrong.append(f"only {len(times)} steps")
    return wrong


def write_leak(path):
    """Each tick some sessions open and stay, and requests come and go."""
    random.seed(1)
    writer = Writer(13, 0)
    codes = {code.co_name: code for code in get_codes() if code.co_filename.endswith("shop.py")}

    def call(name, line):
        code = codes[name]
        writer.push(code, min(at for at, found in get_lines(code).items() if found == line), line)

    writer.switch(77)
    call("<module>", 2)
    call("<module>", 2)  # memray's own two
    call("<module>", 9)
    call("serve", 4)
    address = 1 << 20
    for time in range(1, 61):
        for _ in range(10):
            call("open_session", 10)
            writer.allocation(MALLOC, address, 512)
            writer.pop(1)
            call("open_session", 12)
            writer.allocation(CALLOC, address + 1024, 232)
            writer.pop(1)
            call("get", 19)
            writer.allocation(MALLOC, address + 2048, 864)
            writer.allocation(FREE, address + 2048, 0)
            writer.pop(1)
            address += 4096
        writer.tick(time * 500, (20 << 20) + address)
    with open(path, "wb") as out:
        out.write(writer.finish())


def main():
    if sys.argv[1] == "--leak":
        return write_leak(sys.argv[2])
    memcity, folder = sys.argv[1:]
    failed = 0
    for version, native in ((11, 0), (11, 1), (12, 0), (12, 1), (13, 0), (13, 1)):
        data, model = run(version, native, version * 10 + native)
        path = f"{folder}/shop-{version}-{native}.bin"
        with open(path, "wb") as out:
            out.write(data)
        paths = [path]
        if version == 13:
            subprocess.run(["lz4", "-q", "-f", path, path + ".lz4"], check=True)
            paths.append(path + ".lz4")
        for each in paths:
            wrong = check(memcity, each, model, "--moments", "20")
            for line in wrong[:5]:
                print(f"{each}: {line}")
            failed += len(wrong)
    print(f"memray: {failed} differences")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
