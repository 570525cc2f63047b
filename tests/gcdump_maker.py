#!/usr/bin/env python3
"""Writes a made-up heap as dotnet-gcdump does (.gcdump), and the same heap as rows of a graph, sharing no code with memcity.

usage: gcdump_maker.py FILE.gcdump FILE.graph [--seed N] [--sessions N]

The bytes follow FastSerialization's grammar (Serializer, Graph.ToStream, MemoryGraph.ToStream, GCHeapDump.ToStream); no .NET was there to
record with. The rows are what docs/reference/runtimes.md says of such a dump.
"""
import argparse
import random
import re
import struct

CORE, SHOP = "/usr/share/dotnet/System.Private.CoreLib.dll", "/srv/shop/Shop.dll"
TYPES = [("System.String", CORE, -1), ("System.Byte[]", CORE, -1), ("Shop.Web.Session", SHOP, 48), ("Shop.Cart", SHOP, 32),
         ("System.Collections.Generic.Dictionary<System.String,Shop.Web.Session>", CORE, 80),
         ("Entry<System.String,Shop.Web.Session>[]", CORE, -1), ("Shop.Web.Session+Handler<System.Int32>", SHOP, 64), ("Main", SHOP, 24),
         ("Microsoft.Extensions.Caching.Memory.CacheEntry", CORE, 104), ("Shop.Größe", SHOP, 16), ("[RCW Shop.Printer]", SHOP, 40)]


def make_heap(sessions):
    """Objects as [type, size, children], and roots as (category, name, objects)."""
    objects, sizes = [], {}

    def add(kind, *children, size=None):
        own = TYPES[kind][2]
        objects.append([kind, own if size is None and own >= 0 else size or random.randrange(16, 3000), list(children)])
        sizes.setdefault(kind, objects[-1][1])
        return len(objects) - 1

    entries = []
    for _ in range(sessions):
        cart = add(3, add(0), add(0, size=30))
        handler = add(6)
        session = add(2, add(1), cart, handler)
        objects[handler][2].append(session)  # a ring
        entries += [add(0), session]
    table = add(5, *entries)
    cache = add(8, add(1), add(9, add(10)))
    main = add(7, cache)
    strings = [add(0) for _ in range(20)]
    add(1, size=77777)  # garbage
    roots = [("[static vars]", "[static var Shop.Web.Registry.sessions]", [add(4, table)]),
             ("[static vars]", "[static var Shop.Web.Registry.names]", strings[:5]),
             ("[thread static vars]", "[static var Shop.Buffers.current]", [add(1)]),
             (None, "[local vars]", [main, strings[7]]),
             ("[other roots]", "[strong Handles]", strings[8:12] + [cache]),
             ("[other roots]", "[finalizer Handles]", [strings[13]]),
             ("[other roots]", "[Dependent Handles]", [strings[14]])]
    return objects, roots


# ---- .gcdump

def number(value):
    """As few groups of seven bits as hold it with its sign, the highest first."""
    count = 1
    while count < 5 and not -(1 << 7 * count - 1) <= value < 1 << 7 * count - 1:
        count += 1
    return bytes((value >> 7 * i & 127) | (128 if i else 0) for i in reversed(range(count)))


class Writer:
    def __init__(self):
        self.out, self.types, self.labels = bytearray(), {}, []

    def put(self, form, *values):
        self.out += struct.pack("<" + form, *values)

    def text(self, words):
        if words is None:
            return self.put("i", -1)
        data = words.encode()
        self.put("i", len(data))
        self.out += data

    def begin(self, name, version, oldest):
        self.put("B", 4)
        if name in self.types:
            return self.put("Bi", 2, self.types[name])
        self.types[name] = len(self.out)
        self.put("BBii", 4, 1, version, oldest)
        self.text(name)
        self.put("B", 6)

    def end(self):
        self.put("B", 6)


def write_gcdump(path, objects, roots, addresses):
    types, blob, offsets = [("UNDEFINED", None, 0)] + [(name, module, -1) for name, module, _ in TYPES], bytearray(number(0) + number(0)), {}
    nodes = {}  # by what they are of: objects by number, roots by name

    def node(key):
        return nodes.setdefault(key, len(nodes))

    def set_node(key, kind, size, children):
        offsets[node(key)] = len(blob)
        children = [node(child) for child in children]
        name, module, own = types[kind]
        if own < 0:
            own = size
            types[kind] = (name, module, size)
        blob.extend(number(kind << 1 | (own != size)) + (number(size) if own != size else b"") + number(len(children)))
        for child in children:
            blob.extend(number(child - node(key)))

    for name in random.sample(range(len(objects)), len(objects) // 3):
        node(name)  # nodes are numbered as they are met
    tree = {".": []}
    for category, name, held in roots:
        above = category or "."
        if category and category not in tree["."]:
            tree["."].append(category)
        tree.setdefault(above, []).append((category, name))
        tree[category, name] = held
    for key, children in tree.items():
        name = "[.NET Roots]" if key == "." else key if isinstance(key, str) else key[1]
        types.append((name, None, 0))
        set_node(key, len(types) - 1, 0, children)
    for index, (kind, size, children) in enumerate(objects):
        set_node(index, kind + 1, size, children)
    nodes["lost"] = len(nodes)  # referenced by none, never described
    writer = Writer()
    writer.text("!FastSerialization.1")
    writer.begin("GCHeapDump", 10, 8)
    writer.begin("Graphs.MemoryGraph", 1, 0)
    writer.put("qi", sum(size for _, size, _ in objects), nodes["."])
    writer.put("i", len(types))
    for name, module, size in types:
        writer.text(name)
        writer.put("i", size)
        writer.text(module)
    writer.put("i", len(nodes))
    for index in range(len(nodes)):
        writer.put("I", offsets.get(index, 0))
    writer.put("i", len(blob))
    writer.out += blob
    writer.put("i", len(nodes))
    for key in nodes:
        writer.put("Q", addresses[key] if isinstance(key, int) else 0)
    writer.put("BB", 8, 1)
    writer.end()
    writer.put("Bff", 1, 1.0, 1.0)
    writer.put("B", 1)
    writer.begin("DotNetHeapInfo", 0, 0)
    writer.put("qi", 1 << 20, 2)
    for _ in range(2):
        writer.begin("GCHeapDumpSegment", 1, 1)
        writer.put("7Q", *range(7))
        writer.end()
    writer.end()
    writer.text("log")
    writer.put("q", 0)
    writer.text("host")
    writer.text("Shop")
    writer.put("iqqi", 4711, 1, 2, 0)
    writer.put("BiB", 12, 0, 1)  # a region with nothing in it
    writer.labels.append(len(writer.out))
    writer.put("B", 13)
    writer.text("dotnet-gcdump")
    writer.end()
    writer.end()
    table = len(writer.out)
    writer.put("i", len(writer.labels))
    for label in writer.labels:
        writer.put("i", label)
    trailer = len(writer.out)
    writer.put("ii", table, trailer)
    with open(path, "wb") as out:
        out.write(writer.out)


# ---- rows

def write_graph(path, objects, roots, addresses):
    with open(path, "w", encoding="utf-8") as out:
        print("#memcity graph 1\nid\tsize\tflags\tclass\tNamespace\tType", file=out)
        for index, (kind, size, _) in enumerate(objects):
            name = TYPES[kind][0]
            head = name.split("<")[0].split("[")[0].split("+")[0]
            space = head.rpartition(".")[0]
            short = name[len(space) + 1:] if space else name
            is_array = name.endswith("]")
            is_runtime = is_array or space.split(".")[0] in ("System", "Microsoft")
            flags = ("runtime " if is_runtime else "") + ("array" if is_array or name.startswith("System.Collections.") else "")
            print(addresses[index], size, flags, re.sub(r"[^<>\[\],+& ]+\.", "", name), space or "(none)", short, sep="\t", file=out)
        print("from\tto", file=out)
        for index, (_, _, children) in enumerate(objects):
            for child in children:
                print(addresses[index], addresses[child], sep="\t", file=out)
        print("root\tkind\tname", file=out)
        for category, name, held in roots:
            plain, kind = name[1:-1], "handle"
            if plain.startswith("static var "):
                kind, plain = "global", ("thread static " if category == "[thread static vars]" else "static ") + plain[11:]
            elif plain == "local vars":
                kind, plain = "stack", "local variables"
            elif plain.startswith("finalizer"):
                kind = "finalizer"
            for index in held:
                print(addresses[index], kind, plain, sep="\t", file=out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gcdump")
    parser.add_argument("graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=40)
    options = parser.parse_args()
    random.seed(options.seed)
    objects, roots = make_heap(options.sessions)
    addresses = random.sample(range(0x7f0000001000, 0x7f0000001000 + 64 * len(objects), 8), len(objects))
    write_gcdump(options.gcdump, objects, roots, addresses)
    write_graph(options.graph, objects, roots, addresses)


if __name__ == "__main__":
    main()
