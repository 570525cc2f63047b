#!/usr/bin/env python3
"""Writes recordings as memray does, of a program that is made up, and compares all stacks and sums with what memcity reads.

usage: memray.py MEMCITY FOLDER      (exit code 1 if anything differs)
       memray.py --leak FILE         (a shop whose sessions stay; tests/data/profiles/memray-leak.bin)
       memray.py --sums FILE         (the same as `memray run --aggregate` would write it; tests/data/profiles/memray-sums.bin)

memray is no package of Debian 12: the bytes follow its grammar (record_writer.cpp), the sums are those of the made-up program, the
lines those that Python itself has for its code (co_lines), and the names of native functions those that addr2line knows.
"""
import collections
import itertools
import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reference import add, compare, name_frame, read_memcity, trim, varint  # noqa: E402

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


def signed(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def text(words):
    return words.encode() + b"\0"


# What is mapped: memray says where, and the names of these are to be had by --symbols.
NATIVE = {"speed.so": "int speed_sum(int a) { return a + 1; }\nint speed_fill(int a) { return speed_sum(a) + speed_sum(2); }\n",
          "python3.11": "int list_resize(int a) { return a; }\nint _PyEval_EvalFrameDefault(int a)\n{\n  return list_resize(a) * 2; }\n"}
MODULES = {"speed.so": "/srv/app/speed.so", "python3.11": "/usr/local/bin/python3.11", "libc.so.6": "/usr/lib/libc.so.6"}


class Native:
    """Places of native code, a (file, address) each, and how they are called."""

    def __init__(self, folder):
        self.folder, self.places, self.names = f"{folder}/symbols", {"libc": ("libc.so.6", 0x9000)}, {}
        os.makedirs(self.folder, exist_ok=True)
        for name, code in NATIVE.items():
            path = f"{self.folder}/{name}"
            with open(path + ".c", "w") as out:
                out.write(code)
            subprocess.run(["cc", "-g", "-O0", "-shared", "-fPIC", "-o", path, path + ".c"], check=True)
            for line in subprocess.run(["nm", path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
                words = line.split()
                if len(words) == 3 and words[1] == "T" and words[2] in code:
                    self.places[words[2]] = (name, int(words[0], 16) + 5)
                    self.names[self.places[words[2]]] = subprocess.run(
                        ["addr2line", "-f", "-e", path, words[0], hex(int(words[0], 16) + 4)], check=True, stdout=subprocess.PIPE,
                        text=True).stdout.split()[2:]

    def name(self, place, has_symbols):
        if has_symbols and place in self.names:
            function, where = self.names[place]
            return name_frame(function, where.rpartition(":")[0], int(where.rpartition(":")[2]))
        return name_frame("", "", 0, place[0], place[1] - 1)

    def merge(self, frames, native, hidden, has_symbols):
        """The names of a stack, the innermost first. `frames`: (code, line, instruction, is entry), `native`: places, both the outermost first."""
        shown = [name_frame(code.co_name, code.co_filename, line) for code, line, _, _ in frames][hidden:]
        loop, own = self.places["_PyEval_EvalFrameDefault"], "python3.11"
        # The Python frames of each call of the loop.
        calls = []
        for index, frame in enumerate(frames):
            if frame[3] or not calls:
                calls.append([])
            calls[-1].append(index)
        if has_symbols and shown and native.count(loop) >= len(calls):
            names, calls = [], list(calls)
            for place in native:
                if place == loop and calls:
                    for index in calls.pop(0):
                        if index == hidden and hidden > 0:
                            names = []
                        names.append(name_frame(frames[index][0].co_name, frames[index][0].co_filename, frames[index][1]))
                elif place[0] != own:
                    names.append(self.name(place, has_symbols))
            return trim(names[::-1])
        inner = []
        for place in reversed(native):
            if place[0] == own:
                break
            inner.append(self.name(place, has_symbols))
        if frames and len(inner) == len(native):
            inner = []
        if not frames:
            inner = [self.name(place, has_symbols) for place in reversed(native) if place[0] != own]
        return trim(inner + shown[::-1])


class Writer:
    """The bytes of a version of the format."""

    def __init__(self, version, native, aggregated=0):
        self.version, self.native, self.last, self.recent = version, native, collections.Counter(), [0] * 15
        self.frames, self.codes, self.thread = {}, {}, None
        head = b"memray\0" + struct.pack("<i", version)
        if version >= 12:
            head += struct.pack("<i", sys.hexversion)
        head += struct.pack("<BB", native, aggregated) + struct.pack("<QQqq", 10, 10, START_MS, START_MS + 99999) + text("python3 shop.py")
        head += struct.pack("<iQQB", 4711, 77, 2, 1) + b"\1" + (b"\0" if version >= 12 else b"")
        if version >= 13:
            head += text("/usr/lib/python3.11") + text("/usr/lib/python3/dist-packages") + b"\0" + text("/srv/app") + text("/usr/lib") + b"\0"
        self.out = [head]
        self.pointers, self.generation, self.bases = {}, 0, {}

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

    def add_code(self, code):
        if code not in self.codes:
            number = self.codes[code] = len(self.codes) * 3 + 5
            self.put(bytes([14]), varint(number), text(code.co_name), text(code.co_filename), self.delta("line", code.co_firstlineno),
                     varint(len(code.co_linetable)), code.co_linetable)

    def push(self, code, line, instruction, is_entry):
        if self.version >= 12:
            self.add_code(code)
            self.put(bytes([64 | is_entry]), varint(self.codes[code]), signed(instruction))
            return
        key = (code, line, is_entry)
        if key not in self.frames:
            self.frames[key] = len(self.frames)
            self.put(bytes([3 | (not is_entry) << 4]), self.delta("frame", self.frames[key]), text(code.co_name), text(code.co_filename),
                     self.delta("line", line))
        self.put(bytes([4]), self.delta("frame", self.frames[key]))

    def map_files(self):
        """Anew, elsewhere than before."""
        self.generation += 1
        self.put(bytes([6]))
        files = list(MODULES.items())
        random.shuffle(files)
        for name, path in files:
            base = self.bases[name] = 0x7f0000000000 + random.randrange(1 << 20) * 65536 + self.generation * 0x100000000000 * (name != "speed.so")
            self.put(bytes([7]), text(path), varint(2), struct.pack("<Q", base), bytes([8]), struct.pack("<Q", 0x8000), varint(0x4000),
                     bytes([8]), struct.pack("<Q", 0), varint(0x8000))

    def find_pointer(self, places):
        """The number of a stack of native places, the outermost first."""
        number = 0
        for name, address in places:
            key = (self.bases[name] + address if name else address, number)
            if key not in self.pointers:
                self.pointers[key] = len(self.pointers) + 1
                self.put(bytes([5]), self.delta("instruction", key[0]), self.delta("native", number))
            number = self.pointers[key]
        return number

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

    def allocation(self, allocator, address, size, pointer=0):
        is_free = allocator in (FREE, PYMALLOC_FREE)
        if self.version >= 12:
            place, more = self.address(address)
            self.put(bytes([128 | place << 3 | (allocator if allocator < 8 else 0)]), more, bytes([allocator]) if allocator >= 8 else b"",
                     self.delta("native", pointer) if self.native and not is_free else b"", b"" if is_free else varint(size))
        elif self.native:
            self.put(bytes([2 | allocator << 4]), self.delta("address", address), varint(0 if is_free else size), self.delta("native", pointer))
        else:
            self.put(bytes([1 | allocator << 4]), self.delta("address", address), b"" if is_free else varint(size))

    def tick(self, time, resident):
        self.put(bytes([2 if self.version >= 12 else 11]), varint(resident), varint(time))

    def noise(self):
        """What memcity passes over."""
        if not self.native:
            self.map_files()
        if self.version >= 12:
            place, more = self.address(random.randrange(1 << 20) << 3)
            is_created = random.getrandbits(1)
            self.put(bytes([32 | place << 1 | is_created]), more, self.delta("native", 1) if self.native and is_created else b"")
            self.put(b"\0")

    def finish(self):
        self.put(bytes([1 if self.version >= 12 else 16]), b"\0" * 100)
        return b"".join(self.out)


class Sums(Writer):
    """The bytes of `memray run --aggregate`: all at the end."""

    def __init__(self, version, native):
        super().__init__(version, native, 1)
        self.moments, self.maps, self.listed, self.nodes, self.where = [], [], {}, {}, {}

    def switch(self, thread):
        pass

    def noise(self):
        pass

    def push(self, code, line, instruction, is_entry):
        pass

    def pop(self, count):
        pass

    def allocation(self, allocator, address, size, pointer=0):
        pass

    def map_files(self):
        before, self.out = self.out, []
        super().map_files()
        self.maps, self.out = self.maps + self.out, before

    def find_pointer(self, places):
        before, self.out = self.out, []
        number = super().find_pointer(places)
        self.out = before
        return number

    def tick(self, time, resident):
        self.moments.append((time, resident, self.model.bytes))

    def note(self, key, thread, pointer):
        """Where the stack of a key was met last."""
        node = 0
        for code, line, instruction, is_entry in key[1]:
            frame = self.listed.setdefault((code, line if self.version < 12 else instruction, is_entry), len(self.listed))
            node = self.nodes.setdefault((frame, node), len(self.nodes) + 1)
        self.where[key] = thread, node, pointer, self.generation

    def number(self, value):
        return varint(value) if self.version >= 12 else struct.pack("<Q", value)

    def finish(self):
        for time, resident, heap in self.moments:
            self.put(b"\1", struct.pack("<QQQ", START_MS + time, resident, heap))
        self.put(bytes([12]), struct.pack("<Q", 5), bytes([10]), text("worker"))
        self.put(*self.maps)
        for code in {code for code, _, _ in self.listed} if self.version >= 12 else ():
            self.add_code(code)
        self.last.clear()
        for address, parent in self.pointers:
            self.put(bytes([5]), self.delta("instruction", address), self.delta("native", parent))
        for (code, place, is_entry), number in self.listed.items():
            if self.version >= 12:
                self.put(bytes([4]), varint(number), varint(self.codes[code]), signed(place), bytes([is_entry]))
            else:
                self.put(bytes([4]), struct.pack("<Q", number), text(code.co_name), text(code.co_filename), struct.pack("<iB", place, is_entry))
        for frame, parent in self.nodes:
            self.put(bytes([3]), self.number(frame), self.number(parent))
        if self.version >= 12:
            self.put(bytes([13]), varint(77777), varint(1) if self.native else b"")
        peak = self.model.peak[1]
        for key, (thread, node, pointer, generation) in self.where.items():
            at_peak, at_end = peak.get(key, {}), self.model.counts.get(key, {})
            if at_peak.get("objects") or at_end.get("objects"):
                self.put(bytes([2]), struct.pack("<QBxxxxxxxQQQQQQQ", thread, MALLOC, pointer, node, generation, at_peak.get("objects", 0),
                                                 at_end.get("objects", 0), at_peak.get("bytes", 0), at_end.get("bytes", 0)))
        self.put(bytes([15]), b"\0" * 100)
        return b"".join(self.out)


class Model:
    """What is alive, by stacks: whether it is the main thread's, its Python frames, its native places."""

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


def make_native(places, frames):
    """A native stack that a Python one may have, the outermost first: sometimes a call of the interpreter's loop is missing."""
    loop, others = places["_PyEval_EvalFrameDefault"], ["libc", "speed_sum", "speed_fill", "list_resize"]
    found = [places["libc"]] if random.random() < 0.5 else []
    for index, frame in enumerate(frames):
        if frame[3] or index == 0:
            found += [places[random.choice(others)] for _ in range(random.choice([0, 0, 1, 2]))]
            if random.random() < 0.99:
                found.append(loop)
    return tuple(found + [places[random.choice(others)] for _ in range(random.randrange(4))])


def run(version, native, seed, is_aggregated=False):
    random.seed(seed)
    writer, model, codes = (Sums if is_aggregated else Writer)(version, bool(native)), Model(), get_codes()
    writer.model = model
    stacks = {77: [], 5: [], 6: []}
    natives = {}  # by stacks, as a program has few
    times = sorted(random.sample(range(1, 5000), 40))
    if native:
        writer.map_files()
    for event in range(4000):
        thread = random.choice([77, 77, 5, 6])
        stack = stacks[thread]
        writer.switch(thread)
        what = random.random()
        key, pointer = (thread == 77, tuple(stack), ()), 0
        if native:
            places = random.choice(natives.setdefault((writer.generation, key), [make_native(native.places, stack) for _ in range(3)]))
            key = key[:2] + (places,)
            beside = [("", 77)] if random.random() < 0.1 else []  # what no file is mapped at
            pointer = writer.find_pointer(beside + list(places))
        if isinstance(writer, Sums):
            writer.note(key, thread, pointer)
        if event % 100 == 0 and event > 0:
            model.time = times[event // 100 - 1]
            writer.tick(model.time, 1 << 20 | event)
            model.ticks[START_MS + model.time] = model.get_step()
            writer.noise()
            if native and event % 900 == 0:
                writer.map_files()
        elif what < 0.25 and len(stack) < 24:
            code = random.choice(codes)
            instruction, line = random.choice(sorted(get_lines(code).items()))
            frame = (code, line, instruction if version >= 12 else 0, random.getrandbits(1))
            writer.push(code, line, instruction, frame[3])
            stack.append(frame)
        elif what < 0.4 and stack:
            count = random.randrange(1, min(len(stack), 20) + 1)
            writer.pop(count)
            del stack[-count:]
        elif what < 0.75:
            address, size = random.randrange(1, 3000) << 4, random.randrange(0, 5000)
            writer.allocation(random.choice([MALLOC, CALLOC, PYMALLOC_MALLOC]), address, size, pointer)
            model.allocate(address, key, size)
        elif what < 0.95:
            address = random.choice(sorted(model.blocks)) if model.blocks and random.random() < 0.9 else 8
            writer.allocation(random.choice([FREE, PYMALLOC_FREE]), address, 0)
            model.free(address)
        else:
            begin = 0x7f0000000000 + random.randrange(50) * 4096
            size, is_map = random.randrange(1, 9) * 4096, random.random() < 0.5
            writer.allocation(MMAP if is_map else MUNMAP, begin, size, pointer)
            model.unmap(begin, begin + size)
            if is_map:
                model.map(begin, begin + size, key)
    return writer.finish(), model


def name_step(step, native, has_symbols):
    """By the names of stacks; memray's own two frames of the main thread do not show."""
    named = {}
    for (is_main, frames, places), values in step.items():
        if native:
            stack = native.merge(frames, places, 2 if is_main else 0, has_symbols)
        else:
            stack = trim([name_frame(code.co_name, code.co_filename, line) for code, line, _, _ in reversed(frames[2 if is_main else 0:])])
        add(named, stack, values)
    return named


def check(memcity, path, model, native, symbols, *options):
    has_symbols = symbols is not None
    found = read_memcity(memcity, [path], *options, *(["--symbols", symbols] if has_symbols else []))
    times, wanted = list(found), []
    peak_time, at_peak = model.peak
    at_peak = name_step(at_peak, native, has_symbols)
    for time in times:
        best = model.get_step() if time == times[-1] else model.ticks.get(time)
        best = None if best is None else name_step(best, native, has_symbols)
        if time != times[-1] and time - START_MS - peak_time in (0, 1) and (best is None or compare([found[time]], [best])):
            best = at_peak
        wanted.append(best or {})
    wrong = compare(list(found.values()), wanted)
    if all(compare([step], [at_peak]) for step in found.values()):
        wrong.append("no step is the peak")
    if len(times) < 10 or not any(map(len, wanted)):
        wrong.append(f"only {len(times)} steps")
    return wrong


def check_sums(memcity, path, model, native, symbols):
    found = read_memcity(memcity, [path], *(["--symbols", symbols] if symbols else []))
    steps = [{key: {name: values[name] for name in ("objects", "bytes")} for key, values in step.items() if values["objects"]}
             for step in (model.peak[1], model.get_step())]
    wrong = compare(list(found.values()), [name_step(step, native, symbols is not None) for step in steps])
    heaps = {time: sum(values["bytes"] for values in step.values()) for time, step in model.ticks.items()}
    times = [min(time for time in heaps if heaps[time] == max(heaps.values())), START_MS + 99999]
    return wrong if list(found) == times else wrong + [f"times {list(found)} instead of {times}"]


def write_leak(path, writer):
    """Each tick some sessions open and stay, and requests come and go."""
    random.seed(1)
    writer.model, stack = Model(), []
    codes = {code.co_name: code for code in get_codes() if code.co_filename.endswith("shop.py")}

    def call(name, line):
        code = codes[name]
        stack.append((code, line, min(at for at, found in get_lines(code).items() if found == line), 1))
        writer.push(*stack[-1])

    def leave():
        writer.pop(1)
        stack.pop()

    def allocate(allocator, address, size):
        key = (True, tuple(stack), ())
        if isinstance(writer, Sums):
            writer.note(key, 77, 0)
        writer.allocation(allocator, address, size)
        writer.model.allocate(address, key, size)

    writer.switch(77)
    call("<module>", 2)
    call("<module>", 2)  # memray's own two
    call("<module>", 9)
    call("serve", 4)
    address = 1 << 20
    for time in range(1, 61):
        for _ in range(10):
            call("open_session", 10)
            allocate(MALLOC, address, 512)
            leave()
            call("open_session", 12)
            allocate(CALLOC, address + 1024, 232)
            leave()
            call("get", 19)
            allocate(MALLOC, address + 2048, 864)
            writer.allocation(FREE, address + 2048, 0)
            writer.model.free(address + 2048)
            leave()
            address += 4096
        writer.tick(time * 500, (20 << 20) + address)
    with open(path, "wb") as out:
        out.write(writer.finish())


def main():
    if sys.argv[1] in ("--leak", "--sums"):
        return write_leak(sys.argv[2], (Writer if sys.argv[1] == "--leak" else Sums)(13, 0))
    memcity, folder = sys.argv[1:]
    failed, places = 0, Native(folder)
    for version, native, is_aggregated in itertools.product((11, 12, 13), (None, places), (False, True)):
        data, model = run(version, native, version * 10 + bool(native), is_aggregated)
        path = f"{folder}/{'sums' if is_aggregated else 'shop'}-{version}-{int(bool(native))}.bin"
        with open(path, "wb") as out:
            out.write(data)
        paths = [path]
        if version == 13 and not is_aggregated:
            subprocess.run(["lz4", "-q", "-f", path, path + ".lz4"], check=True)
            paths.append(path + ".lz4")
        for each, symbols in itertools.product(paths, (None, places.folder) if native else (None,)):
            if is_aggregated:
                wrong = check_sums(memcity, each, model, native, symbols)
            else:
                wrong = check(memcity, each, model, native, symbols, "--moments", "20")
            for line in wrong[:5]:
                print(f"{each} {symbols or ''}: {line}")
            failed += len(wrong)
    print(f"memray: {failed} differences")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
