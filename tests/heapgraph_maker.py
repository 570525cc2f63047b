#!/usr/bin/env python3
"""Writes a made-up Java heap as a heap graph in a trace of Perfetto, and the same heap as rows of a graph, sharing no code with memcity.

usage: heapgraph_maker.py FILE.pftrace FILE.graph [--seed N] [--sessions N] [--time MS] [--short]   (--short: the trace has names as R8 makes them,
and says what they stand for)

The bytes follow the protocol buffers (heap_graph.proto, trace_packet.proto); no Android was there to record with. The rows are what
docs/reference/runtimes.md says of such a graph.
"""
import argparse
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "profiles"))
from perfetto import BOOT_NS, message, number, varint  # noqa: E402

KINDS = {"normal": 1, "none": 2, "string": 3, "array": 4, "class": 5, "weak": 9}
# Types: a name, a kind, a size, the class above, fields of their own.
TYPES = [("java.lang.Object", "normal", 8, None, []),
         ("java.lang.String", "string", 0, 0, []),
         ("int[]", "array", 0, 0, []),
         ("com.acme.Base", "normal", 16, 0, ["com.acme.Session com.acme.Base.parent"]),
         ("com.acme.web.Session", "normal", 40, 3, ["java.lang.String com.acme.web.Session.user", "int[] com.acme.web.Session.data"]),
         ("java.util.HashMap", "normal", 48, 0, ["java.util.HashMap$Node[] java.util.HashMap.table"]),
         ("java.util.HashMap$Node[]", "array", 0, 0, []),
         ("java.lang.Class<com.acme.Shop>", "class", 0, 0, []),
         ("java.lang.ref.WeakReference", "weak", 24, 0, ["java.lang.Object java.lang.ref.Reference.referent"]),
         ("android.app.Activity", "normal", 200, 0, ["java.lang.Object android.app.Activity.token"]),
         ("a[]", "array", 0, 0, [])]  # of a class whose name was made short
NAMES = ["java.util.HashMap com.acme.Shop.sessions", "java.lang.String com.acme.Shop.name", "java.lang.ClassLoader java.lang.Class.classLoader"]
OBJECT, STRING, INTS, BASE, SESSION, MAP, NODES, SHOP, WEAK, ACTIVITY, SHORT = range(len(TYPES))


# What R8 would make of them: classes, and their fields.
SHORT_CLASSES = {"com.acme.Base": "a.a", "com.acme.web.Session": "a.b", "com.acme.Shop": "c"}
SHORT_FIELDS = {"com.acme.Base.parent": "a", "com.acme.web.Session.user": "a", "com.acme.web.Session.data": "b", "com.acme.Shop.sessions": "a"}


# Where classes are: what no app's mapping fits keeps its name.
FILES = ["/data/app/~~Zx0==/com.acme.shop-1zG==/base.apk!classes.dex", "base.apk!classes2.dex", "/system/framework/framework.jar"]


def get_file(title):
    return 3 if "com.acme" not in title else 2 if "Base" in title else 1


def shorten(title):
    inner = title.removeprefix("java.lang.Class<").rstrip("[]>")
    return title.replace(inner, SHORT_CLASSES.get(inner, inner))


def shorten_field(field):
    kind, _, whole = field.partition(" ")
    owner, _, name = whole.rpartition(".")
    return f"{shorten(kind)} {shorten(owner)}.{SHORT_FIELDS.get(whole, name)}"


def write_mapping():
    """As traceconv appends it: of another app, which calls one class otherwise, and of this one in two packets."""
    def tell(package, classes, fields):
        out = []
        for title, short in classes:
            members = [message(3, message(1, name), message(2, whole if name == "b" else whole.rpartition(".")[2]))
                       for whole, name in fields.items() if whole.rpartition(".")[0] == title]
            methods = [message(4, message(1, "a"), message(2, name)) for name in ("add", "remove")]
            out.append(message(3, message(1, short), message(2, title), *members, *methods))
        return message(1, message(64, message(1, package), number(2, 7), *out))

    classes = list(SHORT_CLASSES.items())
    # The framework's own names are nobody's short ones.
    return [tell("com.acme.shop", [("com.acme.Wrong", "android.app.Activity")], {}), tell("com.other", [("org.other.Thing", "x.y"), ("org.other.Array", "d"), ("org.other.List", "d")], {}),
            tell("com.acme.shop", classes[:2], SHORT_FIELDS), tell("com.acme.shop", classes[1:], SHORT_FIELDS)]


def make_heap(sessions):
    """Objects: a type, a size, references (a field of its own or None, a target or None), a kind of heap."""
    objects = []

    def add(kind, references=(), size=None, fields=None, heap=1):
        objects.append({"type": kind, "size": size or TYPES[kind][2] or random.randrange(16, 2000), "references": list(references), "fields": fields, "heap": heap})
        return len(objects) - 1

    boot = [add(STRING, heap=3) for _ in range(10)]
    activity = add(ACTIVITY, [None])
    entries = []
    for _ in range(sessions):
        # Fields of the class itself come before those of the class above.
        entries.append(add(SESSION, [add(STRING), add(INTS), entries[-1] if entries and random.random() < 0.3 else None]))
        if random.random() < 0.2:
            add(WEAK, [entries[-1]])
    table = add(MAP, [add(NODES, entries + [None])])
    loader = add(OBJECT)
    shop = add(SHOP, [table, boot[0], loader], fields=NAMES)
    objects[activity]["references"] = [add(OBJECT)]
    objects[activity]["inner"] = [boot[1]]
    add(INTS, size=5000)  # garbage
    add(SHORT, [None])
    roots = [(5, [shop]), (1, [activity]), (3, [entries[0]])]
    return objects, roots


def write_trace(path, objects, roots, ids, time_ms, has_short=False):
    names = {}

    def name(text):
        text = shorten_field(text) if has_short else text
        return names.setdefault(text, len(names) + 1)

    packets, last = [], 0
    bodies = []
    for index, entry in enumerate(objects):
        parts = [number(7, ids[index] - last) if ids[index] > last and random.random() < 0.5 else number(1, ids[index]), number(2, entry["type"] + 1)]
        last = ids[index]
        if entry["size"] != TYPES[entry["type"]][2]:
            parts.append(number(3, entry["size"]))
        if index == 0 or entry["heap"] != objects[index - 1]["heap"]:
            parts.append(number(9, entry["heap"]))
        targets = [ids[target] if target is not None else 0 for target in entry["references"]]
        base = min([target for target in targets if target] or [1]) - 1
        if random.random() < 0.5:
            parts.append(number(6, base))
            targets = [target - base if target else 0 for target in targets]
        parts.append(message(5, b"".join(map(varint, targets))))
        if entry["fields"]:
            parts.append(message(4, b"".join(varint(name(field)) for field in entry["fields"])))
        if entry.get("inner"):
            parts.append(message(10, b"".join(varint(ids[target]) for target in entry["inner"])))
        bodies.append(message(2, *parts))
    types = []
    for index, (title, kind, size, above, fields) in enumerate(TYPES):
        types.append(message(9, number(1, index + 1), number(2, get_file(title)) if has_short else b"", message(3, shorten(title) if has_short else title), number(4, size), number(5, above + 1) if above is not None else b"",
                             message(6, b"".join(varint(name(field)) for field in fields)), number(7, KINDS[kind])))
    held = [message(7, message(1, b"".join(varint(ids[index]) for index in group)), number(2, kind)) for kind, group in roots]
    files = [message(8, number(1, index + 1), message(2, path)) for index, path in enumerate(FILES)] if has_short else []
    tables = [message(4, number(1, iid), message(2, text)) for text, iid in names.items()]
    real_ns = time_ms * 1_000_000
    clocks = [message(1, number(1, clock), number(2, time)) for clock, time in ((6, BOOT_NS), (1, real_ns))]
    packets.append(message(1, message(6, *clocks), number(3, 9999), number(10, 1), number(8, BOOT_NS)))
    # A graph that was given up, of another process.
    packets.append(message(1, message(56, number(1, 7), bodies[0], number(5, 1), number(6, 0)), number(3, 1), number(10, 8)))
    chunks = [bodies[at:at + 50] for at in range(0, len(bodies), 50)] + [held, types, tables + files]
    for index, chunk in enumerate(chunks):
        more = number(5, 1) if index + 1 < len(chunks) else b""
        # The service marks the first packet of each sequence as one before which others may be missing.
        dropped = number(42, 1) if index == 0 else b""
        packets.append(message(1, message(56, number(1, 4711), *chunk, more, number(6, index)), number(3, 1), number(10, 9), number(8, BOOT_NS), dropped))
        packets.append(message(1, message(12, message(5, number(1, 1), message(2, "other"))), number(3, 7), number(10, 99)))
    if has_short:
        packets += write_mapping()
    with open(path, "wb") as out:
        out.write(b"".join(packets))


def write_graph(path, objects, roots, ids, time_ms):
    with open(path, "w", encoding="utf-8") as out:
        print(f"#memcity graph 1\n# time={time_ms}\nid\tsize\tflags\tPackage\tType", file=out)
        for index, entry in enumerate(objects):
            name = TYPES[entry["type"]][0]
            package = "java.lang" if name.startswith("java.lang.Class<") else name.rpartition(".")[0] or ("(primitive)" if name == "int[]" else "(default)")
            is_runtime = name == "int[]" or name.startswith(("java.", "android.")) and "com.acme" not in name
            flags = ("runtime " if is_runtime else "") + ("array" if name.endswith("]") or name.startswith("java.util.") else "")
            short = name[len(package) + 1:] if not package.startswith("(") else name
            print(ids[index], entry["size"], flags, package, short, sep="\t", file=out)
        print("from\tto\tfield\tkind", file=out)
        for index, entry in enumerate(objects):
            _, kind, _, above, fields = TYPES[entry["type"]]
            fields = list(entry["fields"] or fields)
            while not entry["fields"] and above is not None:
                fields, above = fields + TYPES[above][4], TYPES[above][3]
            for at, target in enumerate(entry["references"]):
                if target is None:
                    continue
                field, how = "", ""
                if kind != "array":
                    whole = fields[at].split(" ")[1]
                    short = TYPES[entry["type"]][0].rpartition(".")[2]
                    if kind == "class":
                        short = "Class<com.acme.Shop>"
                    field = short + "." + whole.rpartition(".")[2]
                    if kind == "class" and ".Class." not in whole:
                        field, how = ".".join(whole.split(".")[-2:]), "global"
                    if kind == "weak":
                        how = "weak"
                print(ids[index], ids[target], field, how, sep="\t", file=out)
            for target in entry.get("inner", []):
                print(ids[index], ids[target], "", "", sep="\t", file=out)
        print("root\tkind", file=out)
        for index, entry in enumerate(objects):
            if entry["heap"] == 3:
                print(ids[index], "VM internal", sep="\t", file=out)
        for kind, group in roots:
            for index in group:
                print(ids[index], {1: "JNI global", 3: "stack", 5: "system class"}[kind], sep="\t", file=out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace")
    parser.add_argument("graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--time", type=int, default=1_750_000_000_000)
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    random.seed(options.seed)
    objects, roots = make_heap(options.sessions)
    ids = random.sample(range(0x12c00000, 0x12c00000 + 64 * len(objects), 8), len(objects))
    write_trace(options.trace, objects, roots, ids, options.time, options.short)
    write_graph(options.graph, objects, roots, ids, options.time)


if __name__ == "__main__":
    main()
