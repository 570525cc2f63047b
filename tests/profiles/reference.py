#!/usr/bin/env python3
"""Reads profiles slowly, sharing no code with memcity, and compares all stacks and sums with what memcity reads.

usage: reference.py MEMCITY FORMAT [--symbols PROGRAM] FILE…      (exit code 1 if anything differs)

A stack is a tuple of frames, the innermost first, each as memcity calls it: "function (file:line)". A step is
{stack: {metric: value}}.
"""
import collections
import csv
import gzip
import json
import math
import re
import subprocess
import sys
import tracemalloc

# What says nothing at the ends of a stack, in the programs of these tests.
ALLOCATOR = re.compile(r"^(malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|operator new|runtime\.malloc|_PyObject_Malloc|PyMem_|PyObject_)"
                       r"|__gnu_cxx::(new_allocator|__alloc_traits)<|std::(__new_allocator|allocator_traits)<|\((vg_replace_malloc|new_allocator\.h|alloc_traits\.h)")
START = re.compile(r"^(runtime\.(main|goexit|mstart|rt0_go)\b|_start\b|__libc_start|start_thread\b|clone3?\b|thread_start\b)")


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def read_bytes(path):
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(["zstd", "-dc", path], stdout=subprocess.PIPE, check=False).stdout
    return data


def name_frame(function, file, line, module="", address=0):
    place = file + (f":{line}" if line else "")
    if not function and file:
        return place
    module = module.rpartition("/")[2]
    text = function or (f"0x{address:x}" if address else "" if module else "(unknown)")
    behind = place if file else module
    return f"{text} ({behind})".strip() if behind else text


def trim(stack):
    begin, end = 0, len(stack)
    while begin < end and ALLOCATOR.search(stack[begin]):
        begin += 1
    while end > begin + 1 and START.search(stack[end - 1]):
        end -= 1
    return tuple(stack[begin:end]) if begin < end else tuple(stack) or ("(unknown)",)


def add(step, stack, values):
    sums = step.setdefault(stack, collections.Counter())
    for key, value in values.items():
        sums[key] += value


# ---- pprof

def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def read_fields(data):
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if tag & 7 == 0:
            value, at = read_varint(data, at)
        elif tag & 7 == 2:
            size, at = read_varint(data, at)
            value = data[at:at + size]
            at += size
        else:
            size = 8 if tag & 7 == 1 else 4
            value = data[at:at + size]
            at += size
        yield tag >> 3, value


def read_numbers(value):
    if isinstance(value, int):
        return [value]
    numbers, at = [], 0
    while at < len(value):
        number, at = read_varint(value, at)
        numbers.append(number)
    return numbers


def read_pprof(path):
    metrics = {"inuse_objects": "objects", "inuse_space": "bytes", "alloc_space": "alloc_bytes", "objects": "objects", "space": "bytes"}
    strings, types, samples, locations, functions = [], [], [], {}, {}
    for number, value in read_fields(read_bytes(path)):
        if number == 6:
            strings.append(value.decode())
        elif number == 2:
            samples.append(value)
        elif number == 1:
            types.append(dict(read_fields(value))[1])
        elif number in (4, 5):
            fields = list(read_fields(value))
            (locations if number == 4 else functions)[dict(fields)[1]] = fields
    step = {}
    for sample in samples:
        stack, values = [], []
        for number, value in read_fields(sample):
            if number == 2:
                values += read_numbers(value)
            for location in read_numbers(value) if number == 1 else []:
                for kind, line in locations[location]:
                    if kind == 4:
                        line = dict(read_fields(line))
                        function = dict(functions[line[1]])
                        stack.append(name_frame(strings[function[2]], strings[function.get(4, 0)], line.get(2, 0)))
        keys = [metrics.get(strings[t], strings[t]) for t in types]
        add(step, trim(stack), dict(zip(keys, values)))
    return [step]


# ---- heaptrack

def find_peak(lines, version):
    """The line with which for the first time the most is alive."""
    sizes, live, total, peak, found = [], {}, 0, 0, None
    for index, line in enumerate(lines[:-1]):
        words = line.split()
        if line[:2] == "a ":
            sizes.append(int(words[1], 16))
        elif line[:1] == "+":
            size = sizes[int(words[1], 16)] if version else int(words[1], 16)
            total += size
            if not version:
                live[words[3]] = size
            if total > peak:
                peak, found = total, index
        elif line[:1] == "-":
            total -= sizes[int(words[1], 16)] if version else live.pop(words[1], 0)
    return found


def read_heaptrack(path, times):
    """The states at the ticks of the clock that are steps, at the peak, and at the end."""
    lines = read_bytes(path).decode("utf-8", "replace").split("\n")
    version = int(lines[0].split()[2], 16) if len(lines[0].split()) > 2 else 0
    texts, places, callers, kinds = [""], [None], [None], []
    live, pointers, names = collections.Counter(), {}, {}
    allocated = collections.Counter()
    temporary = collections.Counter()
    last, time, at_peak, steps = None, 0, (0, {}), {}

    def get_stack(caller):
        if caller not in names:
            stack, at = [], caller
            while at:
                place, at = callers[at]
                address, module, frames = places[place]
                stack += [name_frame(texts[f], texts[file], line, texts[module]) for f, file, line in frames] or [name_frame("", "", 0, texts[module], address)]
            names[caller] = trim(stack)
        return names[caller]

    def get_step():
        step = {}
        for (size, caller), count in allocated.items():
            kind = (size, caller)
            add(step, get_stack(caller), {"objects": live[kind], "bytes": live[kind] * size, "alloc_objects": count, "alloc_bytes": count * size,
                                          "temporary": temporary[kind]})
        return step

    peak_line = find_peak(lines, version)
    for index, line in enumerate(lines[:-1]):
        letter, rest = line[:1], line[2:]
        if letter == "s":
            texts.append(rest.partition(" ")[2] if version >= 3 else rest)
            continue
        numbers = [int(word, 16) for word in rest.split()] if letter in "itac+-" and letter else []
        if letter == "i":
            words = numbers[2:]
            frames = [(words[k:k + 3] + [0, 0])[:3] for k in range(0, len(words), 3)]
            places.append((numbers[0], numbers[1] if len(numbers) > 1 else 0, frames))
        elif letter == "t":
            callers.append(numbers)
        elif letter == "a":
            kinds.append(tuple(numbers))
        elif letter == "c":
            time = max(time, numbers[0])
            # The clock stands still at the end if the program ends right behind a tick: the moment is the first.
            if time in times and time not in steps:
                steps[time] = get_step()
        elif letter == "+":
            kind = kinds[numbers[0]] if version else tuple(numbers[:2])
            if not version:
                pointers[numbers[2]] = kind
            live[kind] += 1
            allocated[kind] += 1
            last = kind
            if index == peak_line:
                at_peak = (time, get_step())
        elif letter == "-":
            kind = kinds[numbers[0]] if version else pointers.pop(numbers[0], None)
            if kind:
                live[kind] -= 1
                temporary[kind] += last == kind
                last = None
    return steps, at_peak, get_step()


def compare_heaptrack(memcity, path):
    found = read_memcity(memcity, [path], "--moments", "20")
    times = list(found)
    steps, (peak_time, at_peak), end = read_heaptrack(path, times)
    wanted = []
    for time in times:
        best = steps.get(time)
        if time == times[-1]:
            best = end
        elif time - peak_time in (0, 1) and (best is None or compare([found[time]], [best])):
            best = at_peak
        wanted.append(best or {})
    # The peak is a step, wherever it is.
    if all(compare([step], [at_peak]) for step in found.values()):
        return ["no step is the peak"], wanted
    return compare(list(found.values()), wanted), wanted


# ---- valgrind's massif and DHAT

def name_valgrind(label):
    """As valgrind calls a frame, "0x10A: add (shop.c:12)"."""
    address, _, text = label.partition(": ") if label.startswith("0x") else ("0", "", label)
    found = re.fullmatch(r"(.*) \(in (.*)\)", text)
    if found:
        function = "" if found[1] == "???" else found[1]
        return name_frame(function, "", 0, found[2], int(address, 16))
    found = re.fullmatch(r"(.*) \((.*):(\d+)\)", text)
    if found:
        return name_frame(found[1], found[2], int(found[3]))
    return name_frame("" if text == "???" else text, "", 0, "", int(address, 16))


def read_massif(path):
    steps, values, open_nodes = [], {}, None
    step = {}
    for line in read_bytes(path).decode().splitlines():
        found = re.fullmatch(r"(mem_\w+_B|heap_tree)=(.*)", line)
        if found:
            values[found[1]] = found[2]
            if found[1] == "heap_tree" and found[2] != "empty":
                step = {}
                steps.append(step)
                open_nodes = []
                for key, name in (("mem_heap_extra_B", "(overhead of malloc)"), ("mem_stacks_B", "(stacks)")):
                    if int(values[key]):
                        add(step, (name,), {"bytes": int(values[key])})
        found = re.fullmatch(r"( *)n(\d+): (\d+) (.*)", line)
        if found:
            depth, children, size = len(found[1]), int(found[2]), int(found[3])
            del open_nodes[depth:]
            open_nodes.append(found[4])
            if children:
                continue
            names = open_nodes[1:]
            if names and names[-1].startswith("in "):
                stack = (trim([name_valgrind(name) for name in names[:-1]]) if names[:-1] else ()) + ("(below massif's threshold)",)
            else:
                stack = trim([name_valgrind(name) for name in names])
            add(step, stack, {"bytes": size})
    return steps


def read_dhat(path):
    document = json.loads(read_bytes(path))
    steps = []
    for blocks, size in (("gbk", "gb"), ("ebk", "eb")):
        step = {}
        for place in document["pps"]:
            add(step, trim([name_valgrind(document["ftbl"][i]) for i in place["fs"]]),
                {"objects": place[blocks], "bytes": place[size], "alloc_objects": place["tbk"], "alloc_bytes": place["tb"],
                 "lifetimes": place["tl"], "read_bytes": place["rb"], "written_bytes": place["wb"],
                 "never_read": place["tb"] if place["wb"] and not place["rb"] else 0})
        steps.append(step)
    return steps


# ---- V8's sampled profiles

def read_v8(path):
    step, left = {}, [(json.loads(read_bytes(path))["head"], ())]
    while left:
        call, callers = left.pop()
        frame = call["callFrame"]
        url = frame["url"].removeprefix("file://")
        stack = (name_frame(frame["functionName"] or "(anonymous)", url, frame["lineNumber"] + 1, "" if url else "[V8]"), *callers)
        if call["selfSize"]:
            add(step, trim(stack), {"bytes": call["selfSize"]})
        # "(root)" is nobody's caller
        left += [(child, stack if frame["functionName"] != "(root)" else ()) for child in call["children"]]
    return [step]


# ---- heap profiles as text

def read_maps(text):
    maps = []
    for line in text.splitlines():
        found = re.match(r" *([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ \d+ +(/.*)", line)
        if found:
            maps.append((int(found[1], 16), int(found[2], 16), int(found[3], 16), found[4]))
    return maps


def find_symbols(binary, addresses):
    """As addr2line has them: {address: [(function, file, line)]}, what was inlined first."""
    text = subprocess.run(["addr2line", "-aifC", "-e", binary] + [hex(a) for a in addresses], stdout=subprocess.PIPE, check=True).stdout.decode()
    found, at, function = {}, None, None
    for line in text.splitlines():
        if re.fullmatch(r"0x[0-9a-f]{16}", line):
            at, function = found.setdefault(int(line, 16), []), None
        elif function is None:
            function = line
        else:
            file, _, number = line.split(" (discriminator")[0].rpartition(":")
            at.append((function, "" if file == "??" else file, int(number) if number.isdigit() else 0))
            function = None
    return found


def read_heap_text(path, binary=None):
    text = read_bytes(path).decode()
    rows, _, behind = text.partition("MAPPED_LIBRARIES:")
    maps, step, lines = read_maps(behind), {}, rows.splitlines()
    head = lines.pop(0)
    kind, _, rate = head.split("@")[-1].strip().partition("/")
    period = int(rate) / (2 if kind == "heap" else 1) if rate else 1

    def unsample(count, size):
        if count == 0 or size == 0 or period <= 1:
            return count, size
        factor = 1 / (1 - math.exp(-(size / count) / period))
        return int(count * factor), int(size * factor)

    def get_place(address):
        for begin, end, offset, path in maps:
            if begin <= address - 1 < end:
                return address - begin + offset, path
        return address, ""

    symbols = {}
    if binary:
        offsets = {get_place(int(a, 16)) for a in re.findall(r"0x[0-9a-f]+", rows)}
        symbols = find_symbols(binary, sorted(offset - 1 for offset, path in offsets if path.endswith("/shop")))
    stack = None
    for index, line in enumerate(lines):
        numbers = re.search(r"(\d+): *(\d+) \[ *(\d+): *(\d+)\]", line)
        if "@" in line:
            stack = line[line.index("@"):]
        elif "t*" not in line:
            numbers = None
        if not numbers or not stack:
            continue
        frames = []
        for word in re.findall(r"0x[0-9a-f]+", stack):
            offset, path = get_place(int(word, 16))
            if "/libjemalloc" in path or "/libtcmalloc" in path:
                continue
            named = [s for s in symbols.get(offset - 1, []) if s[0] != "??"] if path.endswith("/shop") else []
            frames += [name_frame(function, file, line, path) for function, file, line in named] or [name_frame("", "", 0, path, offset)]
        remarks = []  # Go's own symbols
        for remark in lines[index + 1:]:
            found = re.match(r"#\t0x[0-9a-f]+\t(.*)\+0x[0-9a-f]+\t+(.*):(\d+)$", remark)
            if not remark.startswith("#"):
                break
            if found:
                remarks.append(name_frame(found[1], found[2], int(found[3])))
        frames = remarks or frames
        values = [int(n) for n in numbers.groups()]
        add(step, trim(frames), dict(zip(("objects", "bytes", "alloc_objects", "alloc_bytes"), unsample(*values[:2]) + unsample(*values[2:]))))
        stack = None
    return [step]


# ---- tracemalloc, by Python itself

def read_tracemalloc(path):
    step = {}
    for trace in tracemalloc.Snapshot.load(path).traces:
        add(step, trim([name_frame("", f.filename, f.lineno) for f in reversed(trace.traceback)]), {"objects": 1, "bytes": trace.size})
    return [step]


READERS = {"tracemalloc": read_tracemalloc, "heap-profile": read_heap_text, "dhat": read_dhat, "massif": read_massif, "pprof": read_pprof, "v8-profile": read_v8}


# ---- memcity

def read_memcity(memcity, paths, *options):
    out = subprocess.run([memcity, "export", *paths, "--rows", "--library-frames", "--depth", "100000", *options],
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = csv.reader(out.split("\n")[:-1], delimiter="\t", quoting=csv.QUOTE_NONE)
    header = next(rows)
    frames = [i for i, name in enumerate(header) if re.fullmatch(r"(Site|Caller)(\[\d+\])?", name)]
    values = {name.partition("[")[0]: i for i, name in enumerate(header) if i > max(frames) and not name.endswith("name]")}
    steps = collections.OrderedDict()
    for row in rows:
        stack = tuple(re.sub(r"\\(.)", r"\1", row[i]) for i in frames if row[i] != r"\N")
        numbers = {key: float(row[i]) if "." in row[i] else int(row[i]) for key, i in values.items() if row[i] != r"\N"}
        step = steps.setdefault(int(row[0]), {})
        if stack:  # else what is known of the heap as a whole
            add(step, stack, numbers)
    return steps


def compare(found, wanted):
    wrong, keys = [], {key for step in wanted for values in step.values() for key in values}
    if len(found) != len(wanted):
        wrong.append(f"{len(found)} steps instead of {len(wanted)}")
    for index, (got, want) in enumerate(zip(found, wanted)):
        for stack in sorted(got.keys() | want.keys()):
            have, need = got.get(stack, {}), want.get(stack, {})
            for key in need.keys():
                if abs(have.get(key, 0) - need[key]) > 1e-9 * abs(need[key]):
                    wrong.append(f"step {index}: {' < '.join(stack)}: {key} {have.get(key, 0)} instead of {need[key]}")
            if not need and any(have.get(key) for key in keys):
                wrong.append(f"step {index}: {' < '.join(stack)}: there is no such stack")
    return wrong


def main():
    memcity, kind, *paths = sys.argv[1:]
    options = []
    if paths[0] == "--symbols":
        binary, options = paths[1], paths[:2]
        del paths[:2]
        READERS[kind] = lambda path: read_heap_text(path, binary)
    if kind == "heaptrack":
        wrong, wanted = compare_heaptrack(memcity, *paths)
    else:
        wanted = [step for path in paths for step in READERS[kind](path)]
        wrong = compare(list(read_memcity(memcity, paths, *options).values()), wanted)
    for line in wrong[:20]:
        print(line)
    stacks = sum(map(len, wanted))
    if stacks == 0:
        wrong.append("nothing was compared")
    print(f"{kind}: {len(wanted)} steps, {stacks} stacks, {len(wrong)} differences")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
