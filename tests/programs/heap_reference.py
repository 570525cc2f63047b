"""A heap dump's objects, references, roots and dominators, read without memcity and faster than by tests/hprof_reference.py.

Shares nothing with the importer but the format's description and what docs/developing/architecture.md says a reference is. Objects are
numbers from 0; edges have labels ("Shop$Session.cart", "static com.acme.shop.Shop.sessions", "HashMap$Node[] elements").
"""
import collections
import functools
import struct

WIDTHS = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
PRIMITIVES = {4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short", 10: "int", 11: "long"}
ELEMENTS = {"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short", "I": "int", "J": "long"}
OBJECT = 2
HEADER, ARRAY_HEADER, REFERENCE = 12, 16, 4  # of a HotSpot JVM with compressed class pointers and references
# Ids and further bytes behind the object's id.
ROOTS = {0xff: 0, 0x01: 8, 0x02: 8, 0x03: 8, 0x04: 4, 0x05: 0, 0x06: 4, 0x07: 0, 0x08: 8, 0x89: 0, 0x8a: 0, 0x8b: 0,
         0x8c: 0, 0x8d: 0, 0x8e: 8}
BUILTIN_LOADERS = ("jdk.internal.loader.ClassLoaders$AppClassLoader", "jdk.internal.loader.ClassLoaders$PlatformClassLoader",
                   "jdk.internal.loader.ClassLoaders$BootClassLoader", "sun.misc.Launcher$AppClassLoader",
                   "sun.misc.Launcher$ExtClassLoader")


@functools.lru_cache(maxsize=None)
def full_name(name):
    """java/util/Map$Entry and [Lcom/acme/Shop; as Java writes them; hidden classes keep what is behind the slash."""
    depth = len(name) - len(name.lstrip("["))
    element = name[depth:]
    if depth:
        element = ELEMENTS.get(element) or element[1:-1]
    hidden = ""
    for mark in ("+0x", "/0x"):
        if mark in element:
            element, _, number = element.partition(mark)
            hidden = "/0x" + number
    return element.replace("/", ".") + hidden + "[]" * depth


def simple_name(name):
    package, hidden, number = name.partition("/0x")
    return package.rpartition(".")[2] + hidden + number


class Class:
    def __init__(self, key, above, loader):
        self.key, self.above, self.loader = key, above, loader
        self.name, self.fields, self.statics = "(unknown)", [], []
        self.layout = None


STRONG, FINALIZING, SOFT = range(3)
LATE = {FINALIZING: "java.lang.ref.FinalReference", SOFT: "java.lang.ref.SoftReference"}


class Heap:
    """One dump. names: class name by object; size: shallow bytes (estimated); edges: [(target, label)] by object."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.strings, self.class_names, self.classes = {}, {}, {}
        self.frames, self.traces, self.threads, self.serials = {}, {}, {}, {}
        self.raw_roots, self.instances, self.arrays, self.primitives = [], [], [], []
        self.read_records()
        self.link()
        self.data = None

    # ---- records

    def read_records(self):
        data = self.data
        at = data.index(b"\0") + 1
        self.id_size, = struct.unpack_from(">I", data, at)
        self.id_code = "Q" if self.id_size == 8 else "I"
        self.time_ms, = struct.unpack_from(">Q", data, at + 4)
        at += 12
        one, width = struct.Struct(">" + self.id_code), self.id_size
        header = struct.Struct(">BII")
        while at + 9 <= len(data):
            tag, _, length = header.unpack_from(data, at)
            at += 9
            if tag == 0x01:
                self.strings[one.unpack_from(data, at)[0]] = data[at + width:at + length].decode("utf-8", "replace")
            elif tag == 0x02:
                serial, key, _, name = struct.unpack_from(f">I{self.id_code}I{self.id_code}", data, at)
                self.class_names[key], self.serials[serial] = name, key
            elif tag == 0x04:
                frame, method, _, source, serial, line = struct.unpack_from(f">4{self.id_code}Ii", data, at)
                self.frames[frame] = (method, source, serial, line)
            elif tag == 0x05:
                trace, _, count = struct.unpack_from(">III", data, at)
                self.traces[trace] = struct.unpack_from(f">{count}{self.id_code}", data, at + 12)
            elif tag in (0x0c, 0x1c):
                self.read_segment(at, at + length)
            at += length

    def read_segment(self, at, end):
        data, width, code = self.data, self.id_size, self.id_code
        instance, array = struct.Struct(f">{code}I{code}I"), struct.Struct(f">{code}II{code}")
        primitive, one = struct.Struct(f">{code}IIB"), struct.Struct(">" + code)
        instances, arrays, primitives = self.instances, self.arrays, self.primitives
        while at < end:
            tag = data[at]
            at += 1
            if tag == 0x21:
                key, _, kind, size = instance.unpack_from(data, at)
                at += instance.size
                instances.append((key, kind, at))
                at += size
            elif tag == 0x23:
                key, _, count, kind = primitive.unpack_from(data, at)
                at += primitive.size
                primitives.append((key, kind, count, at))
                at += count * WIDTHS[kind]
            elif tag == 0x22:
                key, _, count, kind = array.unpack_from(data, at)
                at += array.size
                arrays.append((key, kind, count, at))
                at += count * width
            elif tag == 0x20:
                at = self.read_class(at)
            else:
                key, = one.unpack_from(data, at)
                at += width * (2 if tag == 0x01 else 1)
                more = ROOTS[tag] if tag != 0x01 else 0
                numbers = struct.unpack_from(f">{more // 4}I", data, at)
                at += more
                self.raw_roots.append((tag, key, numbers))
                if tag == 0x08:
                    self.threads[numbers[0]] = (key, numbers[1])

    def read_class(self, at):
        data, width, code = self.data, self.id_size, self.id_code
        key, _, above, loader, signers, domain = struct.unpack_from(f">{code}I4{code}", data, at)
        found = self.classes[key] = Class(key, above, loader)
        found.inside = [("<loader>", loader), ("<signers>", signers), ("<protection domain>", domain), ("<superclass>", above)]
        at += 7 * width + 4 + 4
        count, = struct.unpack_from(">H", data, at)
        at += 2
        for _ in range(count):
            kind = data[at + 2]
            at += 3
            if kind == OBJECT:
                found.inside.append(("<constant pool>", struct.unpack_from(">" + code, data, at)[0]))
            at += width if kind == OBJECT else WIDTHS[kind]
        count, = struct.unpack_from(">H", data, at)
        at += 2
        for _ in range(count):
            name, kind = struct.unpack_from(f">{code}B", data, at)
            at += width + 1
            if kind == OBJECT:
                target, = struct.unpack_from(">" + code, data, at)
                found.statics.append((name, target))
            at += width if kind == OBJECT else WIDTHS[kind]
        count, = struct.unpack_from(">H", data, at)
        at += 2
        for _ in range(count):
            found.fields.append(struct.unpack_from(f">{code}B", data, at))
            at += width + 1
        return at

    # ---- graph

    def layout(self, kind):
        """Of an instance: (offset of each reference, its label), bytes."""
        found = self.classes.get(kind)
        if found is None:
            return [], HEADER
        if found.layout is None:
            references, offset, size = [], 0, HEADER
            at = found
            while at is not None:
                for name, code in at.fields:
                    text = self.strings.get(name, "(unknown)")
                    if code == OBJECT:
                        references.append((offset, f"{simple_name(at.name)}.{text}",
                                           at.name == "java.lang.ref.Reference" and text == "referent"))
                    offset += self.id_size if code == OBJECT else WIDTHS[code]
                    size += REFERENCE if code == OBJECT else WIDTHS[code]
                at = self.classes.get(at.above)
            found.layout = references, (size + 7) // 8 * 8
        return found.layout

    def link(self):
        data, one, code = self.data, struct.Struct(">" + self.id_code), self.id_code
        for key, found in self.classes.items():
            if key in self.class_names:
                found.name = full_name(self.strings.get(self.class_names[key], "(unknown)"))
        self.number = number = {}
        for keys in (self.classes, (e[0] for e in self.instances), (e[0] for e in self.arrays),
                     (e[0] for e in self.primitives)):
            for key in keys:
                number[key] = len(number)
        self.count = len(number)
        self.names, self.size, self.edges = [], [], []
        self.weak = {}  # object: [(target, label)] of what a Reference refers to
        self.late = {FINALIZING: [], SOFT: []}  # objects that refer so
        self.statics = {}  # label: target
        self.class_words = None
        self.class_objects = {}  # full name: [objects]
        self.at_data = {}  # of primitive arrays
        kinds = {key: kind for key, kind, _ in self.instances}
        name_of = {key: found.name for key, found in self.classes.items()}
        late_of = {key: self.late_kind(key) for key in self.classes}
        owned = set()  # classes that their instances hold: of loaders that may go
        for key, found in self.classes.items():
            if found.loader in kinds and name_of.get(kinds[found.loader]) not in BUILTIN_LOADERS:
                owned.add(key)
        for key, found in self.classes.items():
            edges = [(number[target], f"{simple_name(found.name)}.{label}") for label, target in found.inside if target in number]
            for name, target in found.statics:
                text = self.strings.get(name, "(unknown)")
                if target in number:
                    if text == "<resolved_references>":
                        edges.append((number[target], f"{simple_name(found.name)}.<constant pool>"))
                    else:
                        label = f"static {found.name}.{text}"
                        edges.append((number[target], label))
                        self.statics.setdefault(label, []).append(number[target])
            self.class_objects.setdefault(found.name, []).append(number[key])
            self.put("java.lang.Class", 112 + len(found.statics) * 4, edges)
        for key, kind, at in self.instances:
            references, size = self.layout(kind)
            edges = []
            for offset, label, is_weak in references:
                target = number.get(one.unpack_from(data, at + offset)[0])
                if target is None:
                    continue
                if is_weak:
                    self.weak.setdefault(len(self.names), []).append((target, label))
                else:
                    edges.append((target, label))
            if late_of.get(kind):
                self.late[late_of[kind]].append(len(self.names))
            name = name_of.get(kind, "(unknown)")
            if kind in owned:
                edges.append((number[kind], f"{simple_name(name)}.<class>"))
            self.put(name, size, edges)
        for key, kind, count, at in self.arrays:
            name = name_of.get(kind, "(unknown)")
            label = f"{simple_name(name)} elements"
            targets = dict.fromkeys(struct.unpack_from(f">{count}{code}", data, at))
            self.put(name, (ARRAY_HEADER + count * REFERENCE + 7) // 8 * 8,
                     [(number[target], label) for target in targets if target in number])
        for key, kind, count, at in self.primitives:
            self.at_data[len(self.names)] = (kind, count, at)
            self.put(PRIMITIVES[kind] + "[]", (ARRAY_HEADER + count * WIDTHS[kind] + 7) // 8 * 8, [])
        self.read_roots()
        self.by_class = collections.defaultdict(list)
        for node, name in enumerate(self.names):
            self.by_class[name].append(node)

    def late_kind(self, key):
        """Whether instances keep their referent until it is finalized, or until memory is short."""
        while key in self.classes:
            for kind, name in LATE.items():
                if self.classes[key].name == name:
                    return kind
            key = self.classes[key].above
        return None

    def called(self, node):
        """Of an object its class, of a class its own name: "class com.acme.Shop"."""
        if self.class_words is None:
            self.class_words = {node: f"class {name}" for name, nodes in self.class_objects.items() for node in nodes}
        return self.class_words.get(node) or self.names[node]

    def put(self, name, size, edges):
        self.names.append(name)
        self.size.append(size)
        self.edges.append(edges)

    def correct_sizes(self, path):
        """By a class histogram of the same JVM, which knows what dumps don't: padding, and fields that the JVM adds."""
        sizes = {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if len(words) > 3 and words[0].endswith(":") and not words[3].startswith("[") and words[3] != "java.lang.Class":
                    sizes[words[3]] = int(words[2]) // int(words[1])
        self.size = [sizes.get(name, size) for name, size in zip(self.names, self.size)]

    # ---- roots

    def string(self, node):
        """What a String says."""
        kinds = dict((label, target) for target, label in self.edges[node])
        value = kinds.get("String.value")
        if value not in self.at_data:
            return None
        kind, count, at = self.at_data[value]
        data = self.data[at:at + count * WIDTHS[kind]]
        if kind == 5:
            return data.decode("utf-16-be", "replace")
        return data.decode("latin-1")  # of the names of threads here all are

    def thread_name(self, node):
        for target, label in self.edges[node]:
            if label == "Thread.name":
                return self.string(target)
        return None

    def read_roots(self):
        self.roots = []  # (tag, object, thread's name or None, frame or None)
        self.holders = collections.defaultdict(set)  # by object the threads whose stacks name it; None: something else, too
        self.thread_names = {}
        for key, _ in self.threads.values():
            if key in self.number:
                self.thread_names[self.number[key]] = self.thread_name(self.number[key])
        for tag, key, numbers in self.raw_roots:
            if key not in self.number:
                continue
            thread = frame = at = None
            if tag in (0x02, 0x03, 0x04, 0x06, 0x08) and numbers[0] in self.threads:
                holder, trace = self.threads[numbers[0]]
                thread = self.thread_names.get(self.number.get(holder))
                at = self.number.get(holder) if tag != 0x08 else None
                frames = self.traces.get(trace, ())
                if tag in (0x02, 0x03) and numbers[1] < len(frames) and frames[numbers[1]] in self.frames:
                    frame = self.frame_text(frames[numbers[1]])
            self.roots.append((tag, self.number[key], thread, frame))
            self.holders[self.number[key]].add(at)

    def frame_text(self, frame):
        method, source, serial, line = self.frames[frame]
        kind = self.classes.get(self.serials.get(serial))
        text = f"{kind.name if kind else '(unknown)'}.{self.strings.get(method, '(unknown)')}"
        return text + (f"({self.strings.get(source, 'line')}:{line})" if line > 0 else "")

    # ---- regions: what roots reach, then what only pending finalizers keep, then what only soft references do

    def find_regions(self):
        """region by object, and from where each begins. References into an earlier region keep nothing."""
        self.region = {}
        self.begins = {STRONG: sorted({node for _, node, _, _ in self.roots}), FINALIZING: [], SOFT: []}
        self.spread(STRONG, self.begins[STRONG])
        for region in (FINALIZING, SOFT):
            while True:
                found = [target for node in self.late[region] if node in self.region
                         for target, _ in self.weak.get(node, ()) if target not in self.region]
                if not found:
                    break
                self.begins[region] += found
                self.spread(region, found)
            # what one of them reaches is a beginning all the same
            self.begins[region] = sorted({target for node in self.late[region] if node in self.region
                                          for target, _ in self.weak.get(node, ()) if self.region[target] == region})

    def spread(self, region, begin):
        stack = [node for node in begin if node not in self.region]
        for node in stack:
            self.region[node] = region
        while stack:
            for target, _ in self.edges[stack.pop()]:
                if target not in self.region:
                    self.region[target] = region
                    stack.append(target)

    def successors(self, node):
        """What an object keeps; what the virtual root does, and what is behind it for the later regions, `count` + region."""
        if node >= self.count:
            return iter(self.begins[node - self.count] + ([self.count + FINALIZING, self.count + SOFT] if node == self.count else []))
        own, region = self.region[node], self.region
        return (target for target, _ in self.edges[node] if region[target] == own)

    def reach(self, gone=frozenset(), ends_threads=False):
        """Objects that are kept without some; if threads end, what their stacks name goes with them."""
        seen, stack = set(), [self.count]
        while stack:
            node = stack.pop()
            for target in self.successors(node):
                if ends_threads and node == self.count and target < self.count and self.holders[target] <= gone:
                    continue
                if target not in seen and target not in gone:
                    seen.add(target)
                    stack.append(target)
        return seen - {self.count + FINALIZING, self.count + SOFT}

    # ---- dominators: Lengauer and Tarjan's, with path compression; the virtual root is `count`

    def find_dominators(self):
        """idom, retained bytes and objects; objects by their numbers, the virtual root and those of late regions from `count` on."""
        self.find_regions()
        root = self.count
        order, parent, rank = [root], [0], {root: 0}
        stack, path = [self.successors(root)], [0]
        while stack:
            for node in stack[-1]:
                if node not in rank:
                    rank[node] = len(order)
                    order.append(node)
                    parent.append(path[-1])
                    path.append(rank[node])
                    stack.append(self.successors(node))
                    break
            else:
                stack.pop()
                path.pop()
        count = len(order)
        preds = [[] for _ in range(count)]
        for i in range(count):
            for target in self.successors(order[i]):
                preds[rank[target]].append(i)
        semi, label, ancestor = list(range(count)), list(range(count)), [-1] * count
        idom, buckets = [0] * count, [[] for _ in range(count)]

        def evaluate(v):
            if ancestor[v] < 0:
                return label[v]
            path = []
            u = v
            while ancestor[ancestor[u]] >= 0:
                path.append(u)
                u = ancestor[u]
            for u in reversed(path):
                above = ancestor[u]
                if semi[label[above]] < semi[label[u]]:
                    label[u] = label[above]
                ancestor[u] = ancestor[above]
            return label[v]

        for w in range(count - 1, 0, -1):
            best = semi[w]
            for v in preds[w]:
                found = semi[evaluate(v)]
                if found < best:
                    best = found
            semi[w] = best
            buckets[best].append(w)
            p = parent[w]
            ancestor[w] = p
            for v in buckets[p]:
                u = evaluate(v)
                idom[v] = u if semi[u] < semi[v] else p
            buckets[p] = []
        for w in range(1, count):
            if idom[w] != semi[w]:
                idom[w] = idom[idom[w]]
        self.order = [node for node in order if node < root]
        self.idom = {order[w]: order[idom[w]] for w in range(1, count)}
        self.retained = {node: self.size[node] if node < root else 0 for node in order}
        self.retained_count = {node: int(node < root) for node in order}
        for w in range(count - 1, 0, -1):
            node, above = order[w], order[idom[w]]
            self.retained[above] += self.retained[node]
            self.retained_count[above] += self.retained_count[node]

    def retained_by(self, nodes):
        """Bytes and objects that objects retain together as the dominator tree has it: topmost ones counted once."""
        nodes = {node for node in nodes if node in self.idom}
        bytes_ = objects = 0
        for node in nodes:
            above = self.idom[node]
            while above in self.idom and above not in nodes:
                above = self.idom[above]
            if above not in nodes:
                bytes_ += self.retained[node]
                objects += self.retained_count[node]
        return bytes_, objects
