#!/usr/bin/env python3
"""Who owns a heap dump's objects, the slow and simple way, compared with what memcity says.

usage: hprof_owners_reference.py DUMP PRINTED

PRINTED is what print_owners prints of the dump. Objects, edges, roots and dominators are those of
tests/programs/heap_reference.py; the rules are those of docs/reference/heap-dumps.md.
"""
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs"))
import heap_reference  # noqa: E402

sys.setrecursionlimit(100000)

# In the order of their kinds.
KINDS = {0x03: (1, "thread stack"), 0x02: (2, "JNI local"), 0x04: (3, "native stack"), 0x08: (4, "thread"),
         0x06: (5, "thread block"), 0x07: (6, "monitor"), 0x01: (7, "JNI global"), 0x05: (8, "system class"),
         0xff: (9, "unknown")}
PASSING = (0x02, 0x03, 0x04, 0x06, 0x07)
LOCAL_ENTRY = "java.lang.ThreadLocal$ThreadLocalMap$Entry"
LASTING = ("jdk.internal.loader.ClassLoaders$AppClassLoader", "jdk.internal.loader.ClassLoaders$PlatformClassLoader")
NOT_PROGRAM = ("jdk.internal.loader.ClassLoaders$PlatformClassLoader", "jdk.internal.reflect.DelegatingClassLoader")
# With fields that dumps lack, or apart from others in memory.
UNSIZED = ("java.lang.invoke.", "jdk.internal.", "java.lang.Class", "java.lang.Thread", "java.lang.Module", "java.lang.StackTrace",
           "java.lang.VirtualThread", "java.util.concurrent.ForkJoin", "java.util.TimerThread", "java.lang.ref.Reference$",
           "java.lang.ref.Finalizer$")
FOLD_DISTANCE, REST = 4, "(several)"


class Owners:
    def __init__(self, path):
        self.heap = heap = heap_reference.Heap(path)
        heap.find_dominators()
        self.idom, self.root = heap.idom, heap.count
        self.data = open(path, "rb").read()
        self.objects_reached = [node for node in self.idom if node < heap.count]
        self.number_tree()
        self.describe_classes()
        self.find_globals()
        self.find_roots()
        self.find_referrers()
        self.place = {}
        for node in self.objects_reached:
            self.find_place(node)
        self.add_up()

    # ---- the tree

    def number_tree(self):
        self.children = collections.defaultdict(list)
        for node, above in self.idom.items():
            self.children[above].append(node)
        self.begin, self.end = {}, {}
        stack, clock = [(self.root, False)], 0
        while stack:
            node, is_done = stack.pop()
            if is_done:
                self.end[node] = clock
                continue
            self.begin[node] = clock
            clock += 1
            stack.append((node, True))
            stack.extend((child, False) for child in self.children[node])

    def dominates(self, a, b):
        return a != b and self.begin[a] <= self.begin[b] < self.end[a]

    def top(self, node):
        while self.idom[node] < self.root:
            node = self.idom[node]
        return node

    # ---- classes

    def describe_classes(self):
        heap = self.heap
        self.class_of_node = {heap.number[key]: found for key, found in heap.classes.items()}
        self.text = [f"class {self.class_of_node[i].name}" if i in self.class_of_node else name for i, name in enumerate(heap.names)]
        self.program_names = set()
        self.loader = {}
        for node, found in self.class_of_node.items():
            loader = heap.number.get(found.loader)
            self.loader[node] = loader
            if found.loader != 0 and (loader is None or heap.names[loader] not in NOT_PROGRAM):
                self.program_names.add(found.name)

        self.program_texts = {self.text[node] for node in self.objects_reached if self.is_program(node)}

    def is_program(self, node):
        name = self.class_of_node[node].name if node in self.class_of_node else self.heap.names[node]
        return name in self.program_names

    def is_lasting(self, node):
        return self.loader[node] is None or self.heap.names[self.loader[node]] in LASTING

    def find_globals(self):
        """Classes whose static fields are roots."""
        idom, root = self.idom, self.root
        loaded = collections.defaultdict(set)
        for node, loader in self.loader.items():
            if node in idom and loader is not None and not self.is_lasting(node) and idom.get(loader) == root:
                loaded[self.heap.names[loader], self.text[node]].add(loader)
        alike = {names[0] for names, loaders in loaded.items() if len(loaders) > 1}
        self.globals = set()
        for node, loader in self.loader.items():
            if node not in idom or self.heap.region[node] != heap_reference.STRONG:
                continue
            if idom[node] == root and self.is_lasting(node):
                self.globals.add(node)
            elif loader is not None and loader in idom and (idom[node] == root or self.dominates(loader, node)):
                if self.is_lasting(node) or (idom[loader] == root and self.heap.names[loader] not in alike):
                    self.globals.add(node)
        self.structure = set()
        for node in self.globals:
            while node != root and node not in self.structure:
                self.structure.add(node)
                node = idom[node]
        self.statics = {}
        for node in self.globals:
            for target, label in self.heap.edges[node]:
                if label.startswith("static ") and target in idom:
                    found = (not self.is_program(node), label.encode(), label)
                    self.statics[target] = min(found, self.statics.get(target, found))
        for node in self.globals:
            self.statics.pop(node, None)
        self.locals = {}
        for node, targets in self.heap.weak.items():
            for target, _ in targets:
                if self.heap.names[node] == LOCAL_ENTRY and target in self.statics:
                    self.locals[node] = "ThreadLocal " + self.statics[target][2][len("static "):]

    # ---- roots

    def rank(self, tag, numbers):
        if tag == 0x08:
            return 0, 0, 0
        if tag in (0x02, 0x03):
            return (100 if numbers[1] != 0xffffffff else 101), numbers[0], -numbers[1]
        if tag in (0x04, 0x06):
            return 102, numbers[0], 0
        return (103 if tag == 0x07 else 1 + KINDS[tag][0]), 0, 0

    def find_roots(self):
        heap, best = self.heap, {}
        for index, (tag, key, numbers) in enumerate(heap.raw_roots):
            if key in heap.number:
                entry = self.rank(tag, numbers), index, tag, key, numbers
                best[heap.number[key]] = min(entry, best.get(heap.number[key], entry))
        self.roots = {}
        for node, (_, _, tag, key, numbers) in best.items():
            self.roots[node] = tag, self.name_root(tag, key, numbers)

    def name_root(self, tag, key, numbers):
        heap = self.heap
        if tag == 0x05:
            return f"class {heap.classes[key].name}"
        if tag not in (0x02, 0x03, 0x04, 0x06, 0x08):
            return KINDS[tag][1]
        thread, trace = heap.threads.get(numbers[0], (None, None))
        heap.data = self.data
        name = heap.thread_name(heap.number[thread]) if thread in heap.number else None
        text = 'thread "' + re.sub("[0-9]+", "#", name) + '"' if name else "thread #"
        frames = heap.traces.get(trace, ())
        if tag in (0x02, 0x03) and numbers[1] < len(frames) and frames[numbers[1]] in heap.frames:
            text += " in " + re.sub(r"\(.*", "", heap.frame_text(frames[numbers[1]]))
        return text

    # ---- who references what is at the top

    def is_named_for_long(self, node):
        return node in self.statics or (node in self.roots and self.roots[node][0] not in PASSING)

    def is_passing(self, node):
        return node not in self.statics and node in self.roots and self.roots[node][0] in PASSING

    def find_referrers(self):
        self.referrers = collections.defaultdict(list)  # (who, label)
        self.tops = {}
        stack = [(node, node) for node in self.children[self.root]]
        while stack:
            node, top = stack.pop()
            self.tops[node] = top
            stack.extend((child, top) for child in self.children[node])
        for node in self.objects_reached:
            for target, label in self.heap.edges[node]:
                if self.heap.region[target] == self.heap.region[node]:
                    self.referrers[target].append((node, label))
        self.lasting, waiting = {}, {}
        for node in self.children[self.root]:
            if node > self.root or self.is_named_for_long(node):
                continue
            others = [(who, label) for who, label in self.referrers[node] if who != node and not self.dominates(node, who)]
            self.lasting[node] = [other for other in others if not self.is_passing(self.tops[other[0]])]
            # of passing ones by another that may turn out to last
            if self.is_passing(node) and others and not self.lasting[node] and len({self.tops[who] for who, _ in others}) == 1:
                waiting[node] = others
        goes_on = True
        while goes_on:
            settled = [node for node, others in waiting.items() if self.lasting.get(self.tops[others[0][0]])]
            for node in settled:
                self.lasting[node] = waiting.pop(node)
            goes_on = bool(settled)

    def common(self, nodes):
        first, *others = nodes
        while not all(node == first or self.dominates(first, node) for node in others):
            first = self.idom[first]
        return first

    # ---- places: tuples of (root, field, class, whether a GC root names it)

    def root_place(self, node, has_root=True):
        kind = self.text[node]
        tag, name = self.roots.get(node, (None, None)) if has_root else (None, None)
        if node in self.statics and tag != 0x08:
            return (("static field", self.statics[node][2], kind, False),)
        if name is not None:
            return ((KINDS[tag][1], name, kind, True),)
        return (("shared", None, kind, False),)

    def below(self, node, above, label):
        if label is None:
            if above in self.structure:
                return self.root_place(node, False)
            return self.put(self.find_place(above), None, self.text[node])
        if label.startswith("static ") and above in self.globals:
            return (("static field", label, self.text[node], False),)
        if self.heap.names[above] == LOCAL_ENTRY and above in self.locals:
            label = self.locals[above]
        return self.put(self.find_place(above), label, self.text[node])

    def put(self, place, field, kind):
        is_element = field is not None and field.endswith(" elements")
        if not is_element and place[-1][2] == kind and not place[-1][3]:
            return place
        for i in range(FOLD_DISTANCE):
            at = place[:len(place) - i]
            if not at:
                break
            if at[-1][1:] == (field, kind, False) and (not is_element or self.is_alike(at[:-1], place)):
                return at
            if at[-1][2] in self.program_texts and kind not in self.program_texts:
                break
        return place + (("", field, kind, False),)

    def is_alike(self, a, b):
        """Whether two ways to lists are the same, up to an object of the program's own."""
        while a != b:
            if not a or not b or a[-1] != b[-1]:
                return False
            if b[-1][2] in self.program_texts:
                return True
            a, b = a[:-1], b[:-1]
        return True

    def find_place(self, node):
        waiting = []  # a list may be long
        while node not in self.place:
            waiting.append(node)
            above = self.idom[node]
            if above == self.root:
                above = self.anchor(node)[0] or self.root
            if above >= self.root or above in self.place:
                break
            assert above not in waiting, "references in circles, which this script does not follow"
            node = above
        for node in reversed(waiting):
            self.place[node] = self.compute_place(node)
        return self.place[waiting[0] if waiting else node]

    def anchor(self, node):
        """Who keeps what nothing lasting names: (anchor or None, label, whether several do)."""
        found = self.lasting.get(node)
        if not found:
            return None, None, False
        if len({self.tops[who] for who, _ in found}) > 1:
            return None, None, self.is_passing(node)
        anchor = self.common(list({who for who, _ in found}))
        is_one = len({who for who, _ in found}) == 1
        return anchor, found[0][1] if is_one else None, False

    def compute_place(self, node):
        above = self.idom[node]
        if above > self.root:
            region = above - self.root
            names = {heap_reference.FINALIZING: ("finalizing", "pending finalizers"), heap_reference.SOFT: ("soft reference", "soft references")}
            if node in self.heap.begins[region]:
                return ((*names[region], self.text[node], False),)
            return (("shared", None, self.text[node], False),)
        if above != self.root:
            labels = [label for target, label in self.heap.edges[above] if target == node]
            return self.below(node, above, labels[0] if labels else None)
        anchor, label, are_several = self.anchor(node)
        if anchor is not None:
            return self.below(node, anchor, label)
        return self.root_place(node, not are_several)

    def add_up(self):
        self.objects, self.retained, self.program, self.bytes, self.is_unsized = (collections.Counter() for _ in range(5))
        for node, place in self.place.items():
            self.objects[place] += 1
            is_unsized = node in self.class_of_node or self.heap.names[node].startswith(UNSIZED)
            is_program, size = self.is_program(node), self.heap.size[node]
            for i in range(1, len(place) + 1):
                self.retained[place[:i]] += 1
                self.program[place[:i]] += is_program
                self.bytes[place[:i]] += size
                self.is_unsized[place[:i]] += is_unsized


def main():
    owners = Owners(sys.argv[1])
    paths, said, ways, failures = {}, [], [], []
    for line in open(sys.argv[2]):
        entry = json.loads(line)
        if "way_of" in entry:
            ways.append(entry)
            continue
        is_rest = entry["parent"] < 0 and entry["class"] == REST
        named = entry["parent"] < 0 and entry["root"] not in ("static field", "shared", "finalizing", "soft reference")
        above = paths[entry["parent"]] if entry["parent"] >= 0 else ()
        paths[entry["owner"]] = (entry["root"], REST) if is_rest else above + (
            (entry["root"], entry["field"], entry["class"], named),)
        said.append(entry)

    known = set(paths.values())
    total = sum(entry["retained_objects"] for entry in said if entry["parent"] < 0)
    if total != len(owners.objects_reached):
        failures.append(f"places without a parent retain {total} objects, {len(owners.objects_reached)} are reachable")
    rests = collections.defaultdict(collections.Counter)
    heap_bytes = sum(entry["retained"] for entry in said if entry["parent"] < 0)
    for place in owners.retained:
        if place in known:
            continue
        if len(place) == 1:
            rests[place[0][0]].update(objects=owners.objects[place], retained=owners.retained[place], program=owners.program[place])
        if owners.bytes[place] > heap_bytes / 20000:
            failures.append(f"{place} is left out, with {owners.bytes[place]} bytes")
    for entry in said:
        path = paths[entry["owner"]]
        found = (entry["objects"], entry["retained_objects"], entry["program"])
        if path[-1] == REST:
            rest = rests[path[0]]
            right = (rest["objects"], rest["retained"], rest["program"])
        else:
            right = (owners.objects[path], owners.retained[path], owners.program[path])
        # What these take the script does not know.
        if path[-1] != REST and not owners.is_unsized[path] and entry["retained"] != owners.bytes[path]:
            failures.append(f"{path}: {entry['retained']} bytes retained, not {owners.bytes[path]}")
        if found != right:
            failures.append(f"{path}: {found} objects, retained, of the program, not {right}")

    # Of each way all references.
    def kept(place):
        while place and place not in known:
            place = place[:-1]
        return place

    wanted = {paths[way["way_of"]] for way in ways}
    counts = collections.Counter()
    for node, place in owners.place.items():
        if place not in wanted:
            continue
        for who, label in owners.referrers[node]:
            if who != node and not owners.dominates(node, who):
                source = kept(owners.place[who]) or (owners.place[who][0][0], REST)
                counts[place, source, label] += 1
    for way in ways:
        key = paths[way["way_of"]], paths[way["from"]], way["field"]
        if counts[key] != way["references"]:
            failures.append(f"way {key}: {way['references']} references, not {counts[key]}")
    for place in owners.retained:
        has_several = place[-1][1] is None and place in known
        if has_several and owners.bytes[place] > heap_bytes / 200 and place not in wanted:
            failures.append(f"no ways of {place}")
    for failure in failures[:20]:
        print(failure)
    if not failures:
        print(f"{len(said)} owners and {len(ways)} ways of {total} objects agree")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
