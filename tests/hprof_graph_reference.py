#!/usr/bin/env python3
"""What a heap dump's objects retain, the slow and simple way, compared with what memcity says.

usage: hprof_graph_reference.py DUMP EXPORTED PRINTED DIVIDED [PATHS…]

Also by which fields leaves reference each other, and which roots reach them.

EXPORTED as hprof_reference.py takes it (objects and bytes of each leaf), DIVIDED the same by data
structure, package and type, PRINTED what print_hprof prints, PATHS what `memcity paths --json` prints of a group. Dominators by dataflow, or, of a small dump, by removing each object. Sizes are those of the
leaves: of a leaf's objects all the same, or of arrays by their length. Class objects differ in what
they take, so bytes of what has some are not compared.
"""
import collections
import glob
import gzip
import json
import sys

import hprof_paths_reference
import hprof_reference
from hprof_reference import ROOTS, WIDTHS

SMALL = 1500  # objects
CLASS = "Heap#java.lang#Class"
NO_ROOTS = (0x90, 0xfe)
KINDS = {0x01: "JNI global", 0x02: "JNI local", 0x03: "thread stack", 0x04: "native stack", 0x05: "system class",
         0x06: "thread block", 0x07: "monitor", 0x08: "thread", 0x89: "interned", 0x8a: "finalizing",
         0x8b: "debugger", 0x8c: "reference cleanup", 0x8d: "VM internal", 0x8e: "JNI monitor",
         0xff: "unknown"}
TEXTS_MAX = 10
COLLECTIONS = """java/util/ArrayList java/util/LinkedList java/util/Vector java/util/ArrayDeque java/util/PriorityQueue
java/util/HashMap java/util/TreeMap java/util/Hashtable java/util/Properties java/util/IdentityHashMap java/util/WeakHashMap
java/util/EnumMap java/util/RegularEnumSet java/util/JumboEnumSet java/util/HashSet java/util/TreeSet java/util/Arrays$ArrayList
java/lang/ThreadLocal$ThreadLocalMap java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue""".split() + [
    "java/util/concurrent/" + name for name in """ConcurrentHashMap ConcurrentSkipListMap ConcurrentSkipListSet CopyOnWriteArrayList
CopyOnWriteArraySet ConcurrentLinkedQueue ConcurrentLinkedDeque LinkedBlockingQueue LinkedBlockingDeque ArrayBlockingQueue
PriorityBlockingQueue LinkedTransferQueue DelayQueue""".split()]
BOXED = ["java/lang/" + name for name in "Boolean Character Float Double Byte Short Integer Long".split()]
SIZES = {"java/util/ArrayList": ("size",), "java/util/LinkedList": ("size",), "java/util/Vector": ("elementCount",),
         "java/util/PriorityQueue": ("size",), "java/util/HashMap": ("size",), "java/util/TreeMap": ("size",),
         "java/util/Hashtable": ("count",), "java/util/IdentityHashMap": ("size",),
         "java/util/WeakHashMap": ("size",), "java/util/EnumMap": ("size",), "java/util/ArrayDeque": ("head", "tail"),
         "java/util/concurrent/ArrayBlockingQueue": ("count",)}
WASTE_METRICS = {"empty_slots": "empty slots", "empty_collections": "empty collections", "duplicates": "duplicates",
                 "boxed": "boxed numbers", "builders": "unused room of builders"}
FAMILIES = ("java/util/Collections$", "java/util/ImmutableCollections$", "a/b/C")


INSIDE, ELEMENT = "<inside>", "<element>"
LATE = {"java/lang/ref/FinalReference": 1, "java/lang/ref/FinalizerReference": 1, "java/lang/ref/SoftReference": 2}
REGIONS = ("(roots)", "(pending finalizers)", "(soft references)")


class Dump(hprof_reference.Dump):
    """Notes roots, and which fields are weak."""

    def __init__(self, data):
        self.roots, self.field_names, self.class_at, self.contents = [], {}, {}, []
        self.threads, self.frames, self.traces, self.serials = {}, {}, {}, {}
        super().__init__(data)
        self.read_traces()

    def read_traces(self):
        """Records outside of the heap that name stack frames."""
        self.at = self.data.index(b"\0") + 13
        while self.at + 9 <= len(self.data):
            tag, _, length = self.take("B"), self.take("I"), self.take("I")
            begin = self.at
            if tag == 0x04:
                frame, method, _, source = self.id(), self.id(), self.id(), self.id()
                self.frames[frame] = (method, source, self.take("I"), self.take("i"))
            elif tag == 0x05 and length >= 12:
                trace, _, count = self.take("I"), self.take("I"), self.take("I")
                self.traces[trace] = [self.id() for _ in range(count)]
            elif tag == 0x02:
                serial = self.take("I")
                self.id(), self.take("I")
                self.serials[serial] = self.id()
            self.at = begin + length
            if length == 0 and tag in (0x0c, 0x1c):
                return  # it has no end

    def heap_record(self):
        tag = self.data[self.at]
        if tag in ROOTS:
            begin = self.at + 1
            self.at = begin
            key = self.id()
            ids, size = ROOTS[tag]
            self.at = begin + ids * self.id_size
            numbers = [self.take("I") for _ in range(size // 4)] if tag != 0xfe else []
            self.roots.append((tag, key, numbers))
            if tag == 0x08:
                self.threads[numbers[0]] = (key, numbers[1])
            self.at = begin + ids * self.id_size + size
        else:
            begin = self.at
            super().heap_record()
            if tag == 0x20:
                self.note_names(begin + 1, self.at)

    def note_names(self, begin, end):
        self.at = begin
        key = self.id()
        self.class_at[key] = begin
        count = len(self.classes[key][2])
        self.at = end - count * (self.id_size + 1)
        names = []
        for _ in range(count):
            names.append(self.id())
            self.at += 1
        self.field_names[key] = names

    def strong_references_of(self, kind, at):
        while kind in self.classes:
            above, _, fields = self.classes[kind]
            is_reference = self.strings.get(self.names.get(kind)) == "java/lang/ref/Reference"
            for name, field in zip(self.field_names[kind], fields):
                self.at = at
                if field == 2:
                    target = self.id()
                    if not (is_reference and self.strings.get(name) == "referent"):
                        yield target
                at += self.id_size if field == 2 else WIDTHS[field]
            kind = above

    def late_references(self):
        """References that keep what nothing else does: the region (1: until it is finalized, 2: until memory is short), who, whom."""
        for key, kind, at in self.instances:
            region, referent, seen = 0, 0, set()
            while kind in self.classes and kind not in seen:
                seen.add(kind)
                above, _, fields = self.classes[kind]
                name = self.strings.get(self.names.get(kind))
                region = region or LATE.get(name, 0)
                for field_name, field in zip(self.field_names[kind], fields):
                    self.at = at
                    if field == 2 and name == "java/lang/ref/Reference" and self.strings.get(field_name) == "referent":
                        referent = self.id()
                    at += self.id_size if field == 2 else WIDTHS[field]
                kind = above
            if region and referent:
                yield region, key, referent

    def all_references(self):
        """Every object's id and references, weak ones, too."""
        for key, (_, references, _) in self.classes.items():
            yield key, references
        for key, kind, at in self.instances:
            yield key, list(self.references_of(kind, at))
        for key, _, references in self.arrays:
            yield key, references

    # ---- by what

    def simple(self, kind):
        return self.leaf(kind).split("#")[2]

    def class_references(self, key):
        """(name, static or not, target) of a class object."""
        self.at = self.class_at[key] + self.id_size + 4
        simple = self.simple(key)
        for name in ("superclass", "loader", "signers", "protection domain"):
            yield f"{simple}.<{name}>", None, self.id()
        self.at += 2 * self.id_size + 4
        for _ in range(self.take("H")):
            self.take("H")
            kind = self.take("B")
            value = self.value(kind)
            if kind == 2:
                yield f"{simple}.<constant pool>", None, value
        for _ in range(self.take("H")):
            field = self.strings.get(self.id(), "(unknown)")
            kind = self.take("B")
            at = self.at
            value = self.value(kind)
            at = self.at
            if kind == 2 and field == "<resolved_references>":
                yield f"{simple}.<constant pool>", None, value
            elif kind == 2:
                full = leaf_text(self.strings.get(self.names.get(key)))
                yield f"static {simple}.{field}", f"static {full}.{field}", value
            self.at = at

    def named_references(self):
        """Every reference: leaf, name, whether it is weak, full name of a static field, target."""
        for key in self.classes:
            for name, static, target in list(self.class_references(key)):
                yield CLASS, name, False, static, target
        for _, kind, at in self.instances:
            leaf, above = self.leaf(kind), kind
            while above in self.classes:
                following, _, fields = self.classes[above]
                for name, field in zip(self.field_names[above], fields):
                    self.at = at
                    if field == 2:
                        text = self.strings.get(name, "(unknown)")
                        is_weak = (text == "referent" and
                                   self.strings.get(self.names.get(above)) == "java/lang/ref/Reference")
                        yield leaf, f"{self.simple(above)}.{text}", is_weak, None, self.id()
                    at += self.id_size if field == 2 else WIDTHS[field]
                above = following
        for _, kind, references in self.arrays:
            for target in references:
                yield self.leaf(kind), f"{self.simple(kind)} elements", False, None, target

    # ---- classes

    def kept_classes(self):
        """Those that their instances keep: a loader that is not the JVM's own has loaded them."""
        kinds = {key: kind for key, kind, _ in self.instances}
        for key in self.classes:
            loader = next(target for name, _, target in self.class_references(key) if name.endswith(".<loader>"))
            if loader in kinds and self.strings.get(self.names.get(kinds[loader])) and self.leaf(kinds[loader]) not in BUILTIN_LOADERS:
                yield key

    # ---- collections

    def is_listed(self, kind):
        name = self.strings.get(self.names.get(kind)) or ""
        return name in COLLECTIONS or name.startswith(FAMILIES)

    def is_in_listed(self, kind):
        name = self.strings.get(self.names.get(kind)) or ""
        return any(byte == "$" and (name[:i] in COLLECTIONS or name[:i].startswith(FAMILIES))
                   for i, byte in enumerate(name) if i > 0)

    def is_collection(self, kind):
        seen = set()
        while kind in self.classes or kind in self.names:
            if self.is_listed(kind):
                return True
            if kind in seen or kind not in self.classes:
                return False
            seen.add(kind)
            kind = self.classes[kind][0]
        return False

    def holders(self):
        """Every strong reference: who, whom, and by what: a field's text; INSIDE, ELEMENT; None: it does not count."""
        for key in self.classes:
            for name, static, target in list(self.class_references(key)):
                yield key, target, name[len("static "):] if static else INSIDE
        for key, kind, at in self.instances:
            above, slot = kind, 0
            while above in self.classes:
                following, _, fields = self.classes[above]
                for name, field in zip(self.field_names[above], fields):
                    self.at = at
                    if field == 2:
                        text = self.strings.get(name, "(unknown)")
                        target = self.id()
                        if text.startswith("this$") and len(text) > 5 and slot < 32:
                            yield key, target, None
                        elif self.is_listed(above) and slot < 32:
                            yield key, target, INSIDE
                        elif self.is_in_listed(above) and slot < 32:
                            yield key, target, ELEMENT
                        elif not (text == "referent" and
                                  self.strings.get(self.names.get(above)) == "java/lang/ref/Reference"):
                            yield key, target, f"{self.simple(above)}.{text}"
                        slot += 1
                    at += self.id_size if field == 2 else WIDTHS[field]
                above = following
        for key, kind, references in self.arrays:
            for target in references:
                yield key, target, ELEMENT

    # ---- roots

    def field_of(self, key, name):
        """A field of an instance, by its name: an id or a byte."""
        for other, kind, at in self.instances:
            if other != key:
                continue
            while kind in self.classes:
                above, _, fields = self.classes[kind]
                for field_name, field in zip(self.field_names[kind], fields):
                    self.at = at
                    if self.strings.get(field_name) == name:
                        return self.id() if field == 2 else self.take("B")
                    at += self.id_size if field == 2 else WIDTHS[field]
                kind = above
        return None

    def thread_name(self, serial):
        if serial not in self.threads:
            return f"thread {serial}"
        string = self.field_of(self.threads[serial][0], "name")
        value = self.field_of(string, "value") if string else None
        for key, kind, count, at in self.contents:
            if key == value and kind == 8 and count:
                data = self.data[at:at + count]
                return f'thread "{data.decode("utf-16-le" if self.field_of(string, "coder") else "latin-1")}"'
        return f"thread {serial}"

    def root_text(self, tag, key, numbers):
        if tag == 0x05:
            return "class " + leaf_text(self.strings.get(self.names.get(key)))
        if tag not in (0x02, 0x03, 0x04, 0x06, 0x08):
            return KINDS[tag]
        text = self.thread_name(numbers[0])
        if tag not in (0x02, 0x03) or numbers[0] not in self.threads:
            return text
        frames = self.traces.get(self.threads[numbers[0]][1], [])
        if numbers[1] >= len(frames) or frames[numbers[1]] not in self.frames:
            return text
        method, source, serial, line = self.frames[frames[numbers[1]]]
        leaf = leaf_text(self.strings.get(self.serials.get(serial)))
        text += f" in {leaf}.{self.strings.get(method, '(unknown)')}"
        return text + (f"({self.strings.get(source, 'line')}:{line})" if line > 0 else "")

    def frame_of(self, tag, numbers):
        """The method of a root that is a local variable, without its package; None: it is none, or not known."""
        if tag not in (0x02, 0x03) or numbers[0] not in self.threads:
            return None
        frames = self.traces.get(self.threads[numbers[0]][1], [])
        if numbers[1] >= len(frames) or frames[numbers[1]] not in self.frames:
            return None
        method, _, serial, _ = self.frames[frames[numbers[1]]]
        kind = hprof_reference.leaf_of(self.strings.get(self.serials.get(serial))).split("#")[2]
        return f"{kind}.{self.strings.get(method, '(unknown)')}()"

    def root_words(self, key):
        """What to call the roots of an object that nothing else holds; None: there are none."""
        roots = [(tag, numbers) for tag, other, numbers in self.roots if other == key and tag not in NO_ROOTS]
        lasting = {"(root)" if tag == 0xff else f"({KINDS[tag]})" for tag, _ in roots
                   if tag not in (0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x8e)}
        methods = [(numbers, self.frame_of(tag, numbers)) for tag, numbers in roots if self.frame_of(tag, numbers)]
        outermost = {thread: max(n[1] for n, _ in methods if n[0] == thread) for thread in {n[0] for n, _ in methods}}
        words = lasting or {text for n, text in methods if n[1] == outermost[n[0]]}
        words = words or {self.thread_name(n[0]) for tag, n in roots if tag in (0x02, 0x03, 0x04, 0x06, 0x08)}
        words = words or {f"({KINDS[tag]})" for tag, _ in roots}
        return None if not words else words.pop() if len(words) == 1 else "(several)"

    def objects(self):
        """Every object's id, leaf, strong references, and number of elements or None."""
        for key, (_, references, _) in self.classes.items():
            yield key, CLASS, references, None
        kept = set(self.kept_classes())
        for key, kind, at in self.instances:
            yield key, self.leaf(kind), list(self.strong_references_of(kind, at)) + [kind] * (kind in kept), None
        for key, kind, references in self.arrays:
            yield key, self.leaf(kind), references, len(references)
        for key, kind, count in self.lengths():
            yield key, hprof_reference.leaf_of(hprof_reference.CODES[kind]), [], (count, WIDTHS[kind])

    def lengths(self):
        return self.primitives


def leaf_text(name):
    parts = [part for part in hprof_reference.leaf_of(name).split("#")[1:]
             if part not in ("(default)", "(primitive)")]
    return "(unknown)" if name is None else ".".join(parts)


def install_lengths():
    """Primitive arrays with their number of elements."""
    plain = hprof_reference.Dump.heap_record

    def record(self):
        tag = self.data[self.at]
        begin = self.at
        plain(self)
        if tag in (0x23, 0xc3):
            end, self.at = self.at, begin + 1
            key = self.id()
            self.take("I")
            kind, count = self.primitives[-1][1], self.take("I")
            self.primitives[-1] = (key, kind, count)
            self.contents.append((key, kind, count if tag == 0x23 or count == 0 else None, self.at + 1))
            self.at = end
    hprof_reference.Dump.heap_record = record


class Graph:
    def __init__(self, dump, leaves):
        numbers, self.leaf, self.targets, lengths = {}, [], [], []
        entries = list(dump.objects())
        for key, leaf, _, length in entries:
            numbers[key] = len(numbers)
            self.leaf.append(leaf)
            lengths.append(length)
        for _, _, references, _ in entries:
            self.targets.append(sorted({numbers[r] for r in references if r in numbers}))
        self.count = len(entries)
        self.sizes = measure(self.leaf, lengths, leaves)
        roots = {numbers[key] for tag, key, _ in dump.roots if tag not in NO_ROOTS and key in numbers}
        self.root_count = len(roots)
        self.root = self.count
        self.targets.append(sorted(roots) if roots else list(range(self.count)))
        keys = list(numbers)
        self.holders = self.find_holders(dump, numbers)
        self.find_regions([(region, numbers[a], numbers[b]) for region, a, b in dump.late_references()
                           if a in numbers and b in numbers], keys)

    @staticmethod
    def find_holders(dump, numbers):
        """By object the threads whose stacks name it; None among them: something else does, too."""
        threads, holders = {}, collections.defaultdict(set)
        for tag, key, words in dump.roots:
            if tag == 0x08 and key in numbers:
                threads[words[0]] = min(key, threads.get(words[0], key))
        for tag, key, words in dump.roots:
            if tag not in NO_ROOTS and key in numbers:
                thread = threads.get(words[0]) if tag in (0x02, 0x03, 0x04, 0x06) else None
                holders[numbers[key]].add(numbers.get(thread))
        return holders

    def find_regions(self, references, keys):
        """Adds a root for each region of what the ones before do not reach."""
        self.region = {node: 0 for node in self.reach()}
        self.late = [[], []]
        for region in 1, 2:
            known, changed = set(self.region), True
            while changed:
                found = {b for at, a, b in references if at == region and a in self.region and b not in known}
                changed = not found <= set(self.late[region - 1])
                self.late[region - 1] = sorted(found, key=keys.__getitem__)
                stack = list(found)
                while stack:
                    node = stack.pop()
                    if node not in self.region:
                        self.region[node] = region
                        stack.extend(self.targets[node])
        for node, region in self.region.items():
            self.targets[node] = [target for target in self.targets[node] if self.region[target] == region]
        for region in 1, 2:
            self.targets[self.root].append(self.root + region)
            self.targets.append(self.late[region - 1])

    def reach(self, gone=(), ends_threads=False):
        seen, stack = {self.root}, [self.root]
        while stack:
            node = stack.pop()
            for target in self.targets[node]:
                if ends_threads and node == self.root and self.holders.get(target, {None}) <= gone:
                    continue
                if target not in seen and target not in gone:
                    seen.add(target)
                    stack.append(target)
        return seen

    def dominators(self):
        """Immediate dominators by dataflow over the reverse postorder. Of all regions the root is one."""
        order, state, stack = [], {self.root}, [(self.root, iter(self.targets[self.root]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target not in state:
                    state.add(target)
                    stack.append((target, iter(self.targets[target])))
                    break
            else:
                order.append(node)
                stack.pop()
        order.reverse()
        rank = {node: i for i, node in enumerate(order)}
        sources = [[] for _ in order]  # of ranks, by rank
        for i, node in enumerate(order):
            for target in self.targets[node]:
                sources[rank[target]].append(i)
        above = [0] + [None] * (len(order) - 1)
        changed = True
        while changed:
            changed = False
            for i in range(1, len(order)):
                found = None
                for other in sources[i]:
                    if above[other] is None:
                        continue
                    if found is None:
                        found = other
                    while found != other:
                        while found > other:
                            found = above[found]
                        while other > found:
                            other = above[other]
                if above[i] != found:
                    above[i] = found
                    changed = True
        late = (self.root + 1, self.root + 2)
        return ([node for node in order if node not in late],
                {node: self.root if order[above[i]] in late else order[above[i]]
                 for i, node in enumerate(order) if node not in late})

    def check_dominators(self, order, above):
        """By removal: what is not reached without an object is what it dominates."""
        everything = set(order)
        dominated = collections.defaultdict(set)
        for node in order[1:]:
            at = node
            while at != self.root:
                dominated[at].add(node)
                at = above[at]
        return all(everything - self.reach({node}) == dominated[node] for node in order[1:])

    def total(self, nodes):
        sizes = [self.sizes[node] for node in nodes]
        return len(sizes), None if None in sizes else sum(sizes)


def measure(leaf_of, lengths, leaves):
    """Each object's bytes, so that leaves have the bytes they have; None: not known."""
    members = collections.defaultdict(list)
    for node, leaf in enumerate(leaf_of):
        members[leaf].append(node)
    sizes = [None] * len(leaf_of)

    def length(node, width):
        count = lengths[node]
        return count[0] * count[1] if isinstance(count, tuple) else count * width

    for leaf, nodes in members.items():
        total = leaves[leaf][1]
        if leaf == CLASS or leaf.endswith("(unknown)"):
            continue
        if lengths[nodes[0]] is None:
            if total % len(nodes) == 0:
                for node in nodes:
                    sizes[node] = total // len(nodes)
            continue
        for head in (12, 16, 20, 24):
            for width in (4, 8):
                guess = [(head + length(node, width) + 7) // 8 * 8 for node in nodes]
                if sum(guess) == total:
                    for node, size in zip(nodes, guess):
                        sizes[node] = size
    return sizes


def groups_of(leaf):
    parts = leaf.split("#")
    return ["#".join(parts[:i + 1]) for i in range(len(parts))]


def retained(graph, order, above):
    """Of each group: how much all below its objects in the tree is."""
    inside, joined = {graph.root: frozenset()}, {}  # joined: there are few different ones
    nodes_in = collections.defaultdict(list)
    for node in order[1:]:
        way = inside[above[node]], graph.leaf[node]
        if way not in joined:
            joined[way] = way[0] | frozenset(groups_of(way[1]))
        inside[node] = joined[way]
        nodes_in[inside[node]].append(node)
    members = collections.defaultdict(list)
    for groups, nodes in nodes_in.items():
        for group in groups:
            members[group] += nodes
    return {group: graph.total(nodes) for group, nodes in members.items()}


def freed(graph, key):
    gone = {node for node in range(graph.count) if key in groups_of(graph.leaf[node])}
    lost = graph.reach() - graph.reach(gone, ends_threads=True)
    members = collections.defaultdict(list)
    for node in lost:
        for group in groups_of(graph.leaf[node]):
            members[group].append(node)
    return {group: graph.total(nodes) for group, nodes in members.items()}


def compare(what, expected, found):
    wrong = []
    for key in expected.keys() | found.keys():
        mine, theirs = expected.get(key), found.get(key)
        is_same = mine and theirs and mine[0] == theirs[0] and mine[1] in (None, theirs[1])
        if not is_same:
            wrong.append(f"{what} {key}: expected {mine}, found {theirs}")
    for line in wrong[:10]:
        print(line)
    return not wrong


BUILTIN_LOADERS = {"Heap#jdk.internal.loader#ClassLoaders$AppClassLoader",
                   "Heap#jdk.internal.loader#ClassLoaders$PlatformClassLoader",
                   "Heap#sun.misc#Launcher$AppClassLoader", "Heap#sun.misc#Launcher$ExtClassLoader"}


def count_instances(dump, leaves_of, expected):
    """Objects of classes that loaders of the program's have loaded hold these classes."""
    instances = collections.Counter(kind for _, kind, _ in dump.instances)
    for key in dump.kept_classes():
        if instances[key] > 0:
            expected[dump.leaf(key), CLASS, f"{dump.simple(key)}.<class>", False] += instances[key]


def compare_fields(dump, leaves_of, found):
    expected = collections.Counter()
    count_instances(dump, leaves_of, expected)
    roots = collections.defaultdict(collections.Counter)
    for leaf, name, is_weak, static, target in dump.named_references():
        if target not in leaves_of:
            continue
        expected[leaf, leaves_of[target], name, is_weak] += 1
        if static:
            roots[leaves_of[target], "static field"][static] += 1
    printed = {(e["from"], e["to"], e["name"], e["weak"]): (e["count"], None)
               for e in found if e["what"] == "field"}
    is_right = compare("field", {key: (count, None) for key, count in expected.items()}, printed)
    for tag, key, numbers in dump.roots:
        if tag in NO_ROOTS or key not in leaves_of:
            continue
        roots[leaves_of[key], KINDS[tag]][dump.root_text(tag, key, numbers)] += 1
    printed = collections.defaultdict(collections.Counter)
    for entry in found:
        if entry["what"] == "root":
            printed[entry["leaf"], entry["kind"]][entry["name"]] += entry["count"]
    for key in roots.keys() | printed.keys():
        mine, theirs = roots[key], printed[key]
        rest = sum(mine.values()) - sum(theirs[name] for name in theirs if name)
        least = sorted(mine.values(), reverse=True)[:TEXTS_MAX]
        if (theirs.get("", 0) != rest or len([n for n in theirs if n]) != len(least) or
                any(mine[name] != count for name, count in theirs.items() if name) or
                sorted((c for n, c in theirs.items() if n), reverse=True) != least):
            print(f"roots of {key}: expected {mine}, found {theirs}")
            is_right = False
    return is_right


def holder_of(dump, key, node, held, above, late_words):
    """What holds a structure, and whether it dominates it."""
    owned = [by for source, by in held if source == above[node]]
    found = set(owned) or {by for _, by in held}
    fields = found - {INSIDE, ELEMENT}
    if fields:
        return fields.pop() if len(fields) == 1 else "(several)", bool(owned)
    for by in (INSIDE, ELEMENT):
        if by in found:
            return by, bool(owned)
    return dump.root_words(key) or late_words or "(unknown)", False


def structures_of(dump, graph, order, above):
    """Of each node, its structure."""
    numbers = {entry[0]: i for i, entry in enumerate(dump.objects())}
    kinds = {key: kind for key, kind, _ in dump.instances + dump.arrays}
    candidates = {numbers[key] for key, kind, _ in dump.instances if dump.is_collection(kind)}
    candidates |= {numbers[key] for key, _, _ in dump.arrays}
    reached = set(order[1:])
    held, insides = collections.defaultdict(list), collections.defaultdict(list)
    for key, target, by in dump.holders():
        if (by is not None and numbers[key] in reached and target in numbers and
                graph.region[numbers[key]] == graph.region[numbers[target]]):
            held[numbers[target]].append((numbers[key], by))
            if by == INSIDE:
                insides[numbers[key]].append(numbers[target])
    ids = {numbers[key]: key for key in numbers}
    late_words = (None,) + REGIONS[1:]
    holders = {node: holder_of(dump, ids[node], node, held[node], above, late_words[graph.region[node]])
               for node in candidates & reached}
    # In the order of ids, each names what is inside of it and not its alone.
    names = {numbers[key]: "" for key in dump.classes}
    weak = {}
    for node in sorted(reached, key=ids.get):
        if node in holders and node not in names:
            holder, _ = holders[node]
            kind = dump.simple(kinds[ids[node]])
            if holder == ELEMENT:
                weak[node] = f"{kind} in (several)"
            elif holder != INSIDE:
                names[node] = f"{kind} in {holder}"
        for target in insides[node] if names.get(node) else []:
            if holders.get(target) == (INSIDE, False):
                names.setdefault(target, names[node])
    inside = {graph.root: ""}
    for node in order[1:]:
        inside[node] = names.get(node, inside[above[node]] or weak.get(node, ""))
    return [inside.get(node, "") for node in range(graph.count)]


def structures(graph, structure_of):
    """Of each structure and leaf: objects and bytes."""
    members = collections.defaultdict(list)
    for node, structure in enumerate(structure_of):
        members[structure, graph.leaf[node]].append(node)
    return {key: graph.total(nodes) for key, nodes in members.items()}


def compare_divided(dump, graph, order, above, structure_of, folder, width):
    """All that is known of leaves, by structure and leaf."""
    numbers = {entry[0]: i for i, entry in enumerate(dump.objects())}
    plain = graph.leaf
    graph.leaf = [leaf.replace("Heap#", f"Heap#{structure or '(none)'}#", 1)
                  for structure, leaf in zip(structure_of, plain)]
    members = collections.defaultdict(list)
    for node, leaf in enumerate(graph.leaf):
        members[leaf].append(node)
    _, leaves, points_to, pointed_from = hprof_reference.read_export(folder)
    is_right = compare("divided", {leaf: graph.total(nodes) for leaf, nodes in members.items()}, leaves)
    targets, sources = collections.defaultdict(set), collections.Counter()
    for key, references in dump.all_references():
        leaf = graph.leaf[numbers[key]]
        there = {numbers[reference] for reference in references if reference in numbers}
        for target in {graph.leaf[reference] for reference in there}:
            sources[leaf, target] += 1
        for reference in there:
            targets[leaf, graph.leaf[reference]].add(reference)
    is_right &= hprof_reference.compare("divided points_to", {pair: len(found) for pair, found in targets.items()},
                                        points_to)
    is_right &= hprof_reference.compare("divided pointed_from", dict(sources), pointed_from)
    told, wasted = {}, {}

    def walk(node):
        metrics = node.get("metrics", {})
        for metric in WASTE_METRICS if not node.get("children") else ():
            if metrics.get(metric):
                wasted[WASTE_METRICS[metric], node["key"]] = metrics[metric]
        if not node.get("children"):
            wasted["all"] = wasted.get("all", 0) + metrics.get("waste", 0)
        if metrics.get("retained_objects"):
            told[node["key"]] = metrics["retained_objects"], metrics["retained"]
        for child in node.get("children", []):
            walk(child)

    path, = glob.glob(f"{folder}/default-format/*.json")
    with open(path, encoding="utf-8") as file:
        walk(json.load(file)["root"])
    is_right &= compare("divided retained", retained(graph, order, above), told)
    total = wasted.pop("all")
    expected = waste(dump, graph, width)
    is_right &= compare("divided waste", {key: (0, size) for key, (_, size) in expected.items()},
                        {key: (0, size) for key, size in wasted.items()})
    if total != sum(wasted.values()):
        print(f"divided waste: {total} in all, not {sum(wasted.values())}")
        is_right = False
    graph.leaf = plain
    return is_right


def is_empty(dump, kind, at):
    """Whether an instance is a collection without elements; None: that can't be seen."""
    values = []
    while kind in dump.classes:
        above, _, fields = dump.classes[kind]
        wanted = SIZES.get(dump.strings.get(dump.names.get(kind)), ())
        for name, field in zip(dump.field_names[kind], fields):
            dump.at = at
            if field == 10 and dump.strings.get(name) in wanted:
                values.append(dump.take("i"))
            at += dump.id_size if field == 2 else WIDTHS[field]
        kind = above
    return None if not values else len(set(values)) == 1 and (len(values) > 1 or values[0] == 0)


def builders(dump):
    """Of each array of a string builder: characters in use, and whether they are of 16 bits; the most of several."""
    found = {}
    for _, kind, at in dump.instances:
        values, seen = {}, set()
        while kind in dump.classes and kind not in seen:
            seen.add(kind)
            above, _, fields = dump.classes[kind]
            for name, field in zip(dump.field_names[kind], fields):
                dump.at = at
                if dump.strings.get(dump.names.get(kind)) == "java/lang/AbstractStringBuilder":
                    values[dump.strings.get(name), field] = (
                        dump.id() if field == 2 else dump.take({8: "B", 10: "I"}[field]) if field in (8, 10) else None)
                at += dump.id_size if field == 2 else WIDTHS[field]
            kind = above
        if ("value", 2) in values and ("count", 10) in values:
            array, used = values["value", 2], (values["count", 10], values.get(("coder", 8)) == 1)
            found[array] = max(found.get(array, used), used)
    return found


def waste(dump, graph, width=None):
    """Of each kind and leaf: how many, and how many bytes."""
    numbers = {entry[0]: i for i, entry in enumerate(dump.objects())}
    found, empty, seen = collections.defaultdict(list), collections.Counter(), set()

    def note(kind, key):
        found[kind, graph.leaf[numbers[key]]].append(numbers[key])

    for key, kind, at in dump.instances:
        if dump.strings.get(dump.names.get(kind)) in BOXED:
            note("boxed numbers", key)
        if is_empty(dump, kind, at):
            note("empty collections", key)
    for key, _, references in dump.arrays:
        if 0 in references:
            empty["empty slots", graph.leaf[numbers[key]]] += references.count(0)
    used, unused = builders(dump), collections.defaultdict(list)
    for key, kind, count in dump.primitives:
        if key in used:
            room = count * WIDTHS[kind] - used[key][0] * (2 if used[key][1] else WIDTHS[kind])
            if room > 0:
                unused["unused room of builders", graph.leaf[numbers[key]]].append(room)
    for key, kind, count, at in sorted(dump.contents):  # of equal ones the first by id is not wasted
        if key in used:
            continue
        if count is None:
            continue
        content = kind, dump.data[at:at + count * WIDTHS[kind]]
        if content in seen:
            note("duplicates", key)
        seen.add(content)
    result = {key: graph.total(nodes) for key, nodes in found.items()}
    result.update({key: (len(rooms), sum(rooms)) for key, rooms in unused.items()})
    result.update({key: (count, width and count * width) for key, count in empty.items()})
    return result


def top_sizes(graph, order, above, targets):
    """What each target retains that no other one dominates."""
    top_of, sums = {graph.root: None}, collections.defaultdict(list)
    for node in order[1:]:
        top_of[node] = top_of[above[node]]
        if top_of[node] is None and node in targets:
            top_of[node] = node
        if top_of[node] is not None:
            sums[top_of[node]].append(node)
    return {node: graph.total(nodes)[1] for node, nodes in sums.items()}


def compare_paths(dump, graph, order, above, files):
    """Every branch, and every figure of it."""
    is_right = True
    paths = hprof_paths_reference.Paths(dump, leaf_text, WIDTHS, graph.late) if files else None
    for name in files:
        with open(name, encoding="utf-8") as file:
            told = json.load(file)
        reached = set(order[1:])
        targets = {node for node in reached if told["of"] in groups_of(graph.leaf[node])}
        top = paths.merge(targets, top_sizes(graph, order, above, targets))
        below = collections.defaultdict(list)
        for index, row in enumerate(told["paths"]):
            row["index"] = index
            below[row["parent"]].append(row)
        for line in list(hprof_paths_reference.differences(f"paths to {told['of']}", top, below[None][0], below))[:10]:
            print(line)
            is_right = False
        if len(below[None]) != 1:
            print(f"paths to {told['of']}: {len(below[None])} roots")
            is_right = False
    return is_right


def main():
    sys.setrecursionlimit(100000)
    path, folder, printed, divided = sys.argv[1:5]
    install_lengths()
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        dump = Dump(file.read())
    with open(printed, encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    leaves = hprof_reference.read_export(folder)[1]
    graph = Graph(dump, leaves)
    order, above = graph.dominators()
    is_right = True
    if graph.count <= SMALL and not graph.check_dominators(order, above):
        print("the reference's dominators are wrong")
        is_right = False

    printed = {(e["name"], e["group"]): (e["objects"], e["bytes"])
               for e in found if e["what"] == "structure"}
    widths = {e["bytes"] / e["objects"] for e in found if e["what"] == "waste" and e["kind"] == "empty slots"}
    structure_of = structures_of(dump, graph, order, above)
    is_right &= compare("structure", structures(graph, structure_of), printed)
    is_right &= compare_divided(dump, graph, order, above, structure_of, divided, max(widths, default=4))
    printed = {(e["kind"], e["group"]): (e["objects"], e["bytes"])
               for e in found if e["what"] == "waste"}
    is_right &= compare("waste", waste(dump, graph), printed)
    is_right &= widths <= {4} or widths <= {8}
    is_right &= compare_fields(dump, {entry[0]: entry[1] for entry in dump.objects()}, found)

    def sums(what, of=None):
        return {entry["group"]: (entry["objects"], entry["bytes"]) for entry in found
                if entry["what"] == what and entry.get("of") == of}

    kept = retained(graph, order, above)
    is_right &= compare("retained", kept, sums("retained"))
    asked = {entry["of"] for entry in found if entry["what"] == "freed"}
    for key in asked:
        expected = freed(graph, key)
        is_right &= compare(f"without {key}", expected, sums("freed", key))
        path_root = [e for e in found if e["what"] == "path" and e["of"] == key and e["parent"] < 0]
        targets = sum(key in groups_of(graph.leaf[node]) for node in order[1:])
        is_right &= compare(f"paths to {key}", {"": (targets, kept[key][1])},
                            {"": (e["objects"], e["bytes"]) for e in path_root})
    is_right &= compare_paths(dump, graph, order, above, sys.argv[5:])
    heap = [entry for entry in found if entry["what"] == "heap"][0]
    numbers = {"roots": (graph.root_count, None),
               "unreached": (graph.count - (len(order) - 1), None)}
    is_right &= compare("heap", numbers, {key: (heap[key], None) for key in numbers})
    known = sum(size is not None for size in graph.sizes)
    print(f"{path}: {graph.count} objects, {len(order) - 1} reached, {known} of known size, "
          f"{len(asked)} groups gone: {'equal' if is_right else 'DIFFERENT'}")
    sys.exit(not is_right)


if __name__ == "__main__":
    main()
