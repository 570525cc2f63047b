"""Whether `why`, `paths`, `roots` and `whatif` of one dump agree with its objects, and so with each other."""
import re

import chains
from heap_reference import simple_name

FOLD_DISTANCE = 4
TOLERANCE = 0.02  # of bytes: sizes are estimated by the reference


def leaf_key(name):
    """memcity's key of a class by its full name."""
    element = name.removesuffix("[]")
    while element.endswith("[]"):
        element = element[:-2]
    package = "(primitive)" if "." not in element and element in ("boolean", "char", "float", "double", "byte", "short", "int", "long") \
        else element.partition("/0x")[0].rpartition(".")[0] or "(default)"
    return f"Heap#{package}#{simple_name(name)}"


def content_of(program, said, heap):
    """The class to ask for: what the first cause says that piles up, or what the table does."""
    for cause in said["causes"][:1]:
        for name in heap.by_class:
            if leaf_key(name) == cause["key"]:
                return name
    names = [name for name in heap.by_class if re.search(program["content"], name) and len(heap.by_class[name]) > 4 and "[]" not in name]
    return max(names, key=lambda name: heap.retained_by(heap.by_class[name])[0], default=None)


def is_near(a, b):
    return abs(a - b) <= TOLERANCE * max(a, b) + 64


class Agreements:
    def __init__(self, ask, heap):
        self.ask, self.heap, self.ways = ask, heap, chains.Ways(heap)

    def faults(self, program, said, name):
        """Of one class, by its full name; ask(command, …) returns memcity's JSON about the dump."""
        heap, key = self.heap, leaf_key(name)
        nodes = [node for node in heap.by_class[name] if node in heap.idom]
        retained, objects = heap.retained_by(nodes)
        gone = self.ask("whatif", "--demolish", key, "-n", "1")
        if gone["objects"] < gone["retained"]["objects"] or gone["bytes"] < gone["retained"]["bytes"]:
            yield f"whatif {key}: frees less than what goes retains: {gone['objects']}, {gone['retained']}"
        if gone["retained"]["objects"] != objects or not is_near(gone["retained"]["bytes"], retained):
            yield f"whatif {key}: retained {gone['retained']}, not {objects} objects of {retained} bytes"
        if gone["objects"] != self.freed(set(nodes)):
            yield f"whatif {key}: frees {gone['objects']} objects, not {self.freed(set(nodes))}"
        rows = self.ask("paths", "--of", key)["paths"]
        if rows[0]["objects"] != len(nodes) or not is_near(rows[0]["bytes"], retained):
            yield f"paths {key}: {rows[0]['objects']} objects, {rows[0]['bytes']} bytes, not {len(nodes)}, {retained}"
        yield from self.rows_that_are_not(key, rows)
        yield from self.roots_that_are_not(key, said)
        for cause in said["causes"][:2]:
            yield from self.retained_too_much(cause)
            if cause["key"] == key and cause.get("root"):
                yield from self.missing_root(key, rows, cause)

    def freed(self, gone):
        """How many objects nothing reaches any more without these."""
        return len(self.heap.order) - len(self.heap.reach(gone, ends_threads=True))

    def rows_that_are_not(self, key, rows):
        """Each row: objects of that class that objects of the row above reference by that field."""
        heap = self.heap
        at = {0: None}
        class_names = {node: name for name, nodes in heap.class_objects.items() for node in nodes}

        def called(node):
            return f"class {class_names[node]}" if node in class_names else heap.names[node]

        for index, row in enumerate(rows[1:], 1):
            above = at[row["parent"]]
            region = chains.LATE_WORDS.get(row["class"]) if above is None else None
            if region is not None:
                found = {heap.count + region}
            elif above is not None and min(above, default=0) >= heap.count:
                found = {node for top in above for node in heap.begins[top - heap.count] if called(node) == row["class"]}
            elif above is None:
                found = {node for _, node, _, _ in heap.roots if called(node) == row["class"]}
            else:
                field = re.sub(r"^static ", "", row["field"] or "")
                found = set()
                for node in above:
                    for target, label in heap.edges[node] + heap.weak.get(node, []):
                        if called(target) == row["class"] and self.is_label(label, field):
                            found.add(target)
            if not found:
                yield f"paths {key}: no {row['class']} by {row['field']}"
                return
            at[index] = self.fold(found, called) if row["folded"] else found

    def fold(self, nodes, called):
        """What such objects reach of their own kind within a few references, and on from there, as the nodes of a list do."""
        heap, found, stack = self.heap, set(nodes), list(nodes)
        while stack:
            node = stack.pop()
            kind, edge = called(node), [node]
            for _ in range(FOLD_DISTANCE):
                edge = {target for other in edge for target, _ in heap.edges[other]}
                for target in edge:
                    if target not in found and called(target) == kind:
                        found.add(target)
                        stack.append(target)
        return found

    @staticmethod
    def is_label(label, field):
        if label == field:
            return True
        if label.startswith("static "):
            owner, _, name = label[len("static "):].rpartition(".")
            return f"{simple_name(owner)}.{name}" == field
        return False

    def roots_that_are_not(self, key, said):
        trail = self.ask("roots", "--of", key).get("trail")
        if not trail or not trail.get("root") or trail.get("means") != "plain":
            return
        hops = [hop["field"].removesuffix(" elements") for hop in reversed(trail["hops"])]
        words = [trail["root"]["name"]] + hops + [key.rpartition("#")[2]]
        begin = self.ways.root(words[0])
        if begin is None:
            return
        found, missing = self.ways.follow(begin, words[1:])
        if missing:
            yield f"roots {key}: no such way at {missing}: {' → '.join(words)}"
    def retained_too_much(self, cause):
        """What a cause retains is no more than is freed without the class that it is made of."""
        owner = cause.get("owner")
        if not owner or owner["content"]["class"] not in self.heap.by_class:
            return
        gone = self.ask("whatif", "--demolish", leaf_key(owner["content"]["class"]), "-n", "1")
        if owner["content"]["retained_bytes"] > gone["bytes"] * (1 + TOLERANCE):
            yield f"why {cause['key']}: retains {owner['content']['retained_bytes']}, but whatif frees {gone['bytes']}"

    def missing_root(self, key, rows, cause):
        """The root that why says is on a path that `paths` prints, or what it holds is."""
        begin = self.ways.root(cause["root"]["text"])
        if begin is None:
            return
        kinds = {self.heap.names[node] for node in begin}
        text = cause["root"]["text"].removeprefix("static ")
        for row in rows:
            field = re.sub(r"^static ", "", row["field"] or "")
            if field and text.endswith(field) or row["class"] in kinds:
                return
        yield f"paths {key}: no way by {cause['root']['text']}"
