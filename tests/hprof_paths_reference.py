"""How the roots of a heap dump hold the objects of a group, the slow and simple way.

A shortest path to each object: breadth first, references in the order in which the dump has them, from the roots by
their ids, from those that last first; then from what only pending finalizers keep, and soft references. Objects of one kind that the same slot of the same node references are one node;
a way that comes to the same again within a few nodes is folded back. Used by hprof_graph_reference.py.
"""
import collections

PASSING = (0x02, 0x03, 0x04, 0x06, 0x07, 0x8e)
NO_ROOTS = (0x90, 0xfe)
FOLD_DISTANCE = 4
PRIMITIVES = {4: "boolean[]", 5: "char[]", 6: "float[]", 7: "double[]", 8: "byte[]", 9: "short[]", 10: "int[]",
              11: "long[]"}


class Node:
    def __init__(self, parent, kind, slot, field, name):
        self.parent, self.kind, self.slot, self.field, self.name = parent, kind, slot, field, name
        self.children, self.folded = {}, False
        self.own, self.whole = [0, 0], [0, 0]  # objects and bytes; None: not known

    def text(self):
        return self.field, self.name


def add(sum_, objects, size):
    sum_[0] += objects
    sum_[1] = None if sum_[1] is None or size is None else sum_[1] + size


def fields_of(dump, kind, at):
    """Slot, name and target of an instance's references, weak ones as 0."""
    slot = 0
    while kind in dump.classes:
        above, _, fields = dump.classes[kind]
        for name, field in zip(dump.field_names[kind], fields):
            dump.at = at
            if field == 2:
                text = dump.strings.get(name, "(unknown)")
                is_weak = text == "referent" and dump.strings.get(dump.names.get(kind)) == "java/lang/ref/Reference"
                yield slot, f"{dump.simple(kind)}.{text}", 0 if is_weak else dump.id()
                slot += 1
            at += dump.id_size if field == 2 else dump.widths[field]
        kind = above


class Paths:
    def __init__(self, dump, leaf_text, widths, late):
        dump.widths = widths
        self.edges, self.kinds, self.names = [], [], []
        numbers = {entry[0]: i for i, entry in enumerate(dump.objects())}
        kept = set(dump.kept_classes())

        def put(key, kind, name, edges):
            self.kinds.append(kind)
            self.names.append(name)
            self.edges.append([(slot, field, numbers[target]) for slot, field, target in edges
                               if target in numbers])

        def full(key):
            return leaf_text(dump.strings.get(dump.names.get(key)))

        for key in dump.classes:
            references = list(dump.class_references(key))
            references = references[1:4] + references[:1] + references[4:]  # the superclass behind the domain
            put(key, ("class", key), f"class {full(key)}",
                [(slot, name, target) for slot, (name, _, target) in enumerate(references)])
        for key, kind, at in dump.instances:
            edges = list(fields_of(dump, kind, at))
            if kind in kept:
                edges.append((len(edges), f"{dump.simple(kind)}.<class>", kind))
            put(key, ("instance", kind), full(kind), edges)
        for key, kind, references in dump.arrays:
            put(key, ("array", kind), full(kind),
                [(0, f"{dump.simple(kind)} elements", target) for target in references])
        for key, kind, _ in dump.primitives:
            put(key, ("primitive", kind), PRIMITIVES[kind], [])
        roots = {key: any(other not in PASSING for other in tags) for key, tags in self.tags(dump, numbers).items()}
        if not roots:
            roots = {key: False for key in numbers}
        self.roots = [[numbers[key] for key in sorted(roots) if roots[key] == lasts] for lasts in (True, False)]
        for name, field, targets in (("pending finalizers", "Finalizer.referent", late[0]),
                                     ("soft references", "SoftReference.referent", late[1])):
            self.roots.append([len(self.kinds)])
            self.kinds.append(("late", name))
            self.names.append(name)
            self.edges.append([(0, field, target) for target in targets])

    @staticmethod
    def tags(dump, numbers):
        found = collections.defaultdict(list)
        for tag, key, _ in dump.roots:
            if tag not in NO_ROOTS and key in numbers:
                found[key].append(tag)
        return found

    def search(self):
        """Nodes in the order in which they are reached, and who was the first to reference each; -1: a root."""
        order, parents = [], {}
        for roots in self.roots:
            begin = len(order)
            for node in roots:
                if node not in parents:
                    parents[node] = -1
                    order.append(node)
            for node in iter_growing(order, begin):
                for _, _, target in self.edges[node]:
                    if target not in parents:
                        parents[target] = node
                        order.append(target)
        return order, parents

    def merge(self, targets, retained):
        """The tree of nodes; retained: what each topmost target does, in bytes."""
        order, parents = self.search()
        on_way = set()
        for node in order:
            if node in targets:
                while node >= 0 and node not in on_way:
                    on_way.add(node)
                    node = parents[node]
        top = Node(None, "root", None, None, "GC root")
        nodes = {-1: top}
        for node in order:
            if node not in on_way:
                continue
            before, slot, field = nodes[parents[node]], 0, None
            if parents[node] >= 0:
                slot, field = next((s, f) for s, f, target in self.edges[parents[node]] if target == node)
            at = nodes[node] = self.find(before, self.kinds[node], slot, field, self.names[node])
            if node in targets:
                add(at.own, 1, retained.get(node, 0))
        sum_up(top)
        return top

    @staticmethod
    def find(before, kind, slot, field, name):
        at = before
        for _ in range(FOLD_DISTANCE):
            if at.parent is None:
                break
            if at.kind == kind and at.slot == slot and at.parent.kind == before.kind:
                at.folded = True
                return at
            if at.kind[0] == "class":
                break
            at = at.parent
        if (kind, slot) not in before.children:
            before.children[kind, slot] = Node(before, kind, slot, field, name)
        return before.children[kind, slot]


def iter_growing(items, begin):
    while begin < len(items):
        yield items[begin]
        begin += 1


def sum_up(top):
    stack, order = [top], []
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(node.children.values())
    for node in reversed(order):
        add(node.whole, *node.own)
        if node.parent:
            add(node.parent.whole, *node.whole)


def differences(what, node, row, below):
    """Between a node and a row of `memcity paths --json`, and all below; `below`: rows by their parents'."""
    way = f"{what}: {row['field']} -> {row['class']}"
    for name, mine, theirs in (("objects", node.whole[0], row["objects"]), ("bytes", node.whole[1], row["bytes"]),
                               ("own objects", node.own[0], row["own_objects"]),
                               ("own bytes", node.own[1], row["own_bytes"]), ("folded", node.folded, row["folded"])):
        if mine is not None and mine != theirs:
            yield f"{way}: {name}: expected {mine}, found {theirs}"
    if row["cut"]:
        yield f"{way}: cut"
    mine, theirs = collections.defaultdict(list), collections.defaultdict(list)
    for child in node.children.values():
        if child.whole[0] > 0:
            mine[child.text()].append(child)
    for child in below.get(row["index"], []):
        theirs[child["field"], child["class"]].append(child)
    for text in mine.keys() | theirs.keys():
        if len(mine[text]) != len(theirs[text]):
            yield f"{way}: {text}: expected {len(mine[text])} branches, found {len(theirs[text])}"
            continue
        a = sorted(mine[text], key=lambda n: (n.whole[0], n.own[0], n.folded, n.whole[1] or 0))
        b = sorted(theirs[text], key=lambda r: (r["objects"], r["own_objects"], r["folded"], r["bytes"]))
        for child, found in zip(a, b):
            yield from differences(what, child, found, below)
