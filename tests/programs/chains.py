"""Whether a way that memcity says exists in a dump: "static field Shop.sessions → HashMap → HashMap$Node → Shop$Session"."""
import re

from heap_reference import simple_name

JDK = ("java.", "jdk.", "sun.", "javax.", "com.sun.")
ENDS = ("java.lang.Class", "java.lang.Thread", "java.lang.ClassLoader")
LOCALS = (0x02, 0x03)


def is_inside(name):
    """Whether a way may pass such an object without saying so: what collections and the JDK consist of."""
    return name.endswith("[]") or name.startswith(JDK) and name not in ENDS and not name.endswith("ClassLoader")


class Ways:
    def __init__(self, heap):
        self.heap = heap
        self.simple = {name: simple_name(name) for name in heap.by_class}
        self.by_simple = {}
        for name, simple in self.simple.items():
            self.by_simple.setdefault(simple, []).append(name)
        self.static_by_simple, self.by_label = {}, None
        for label in heap.statics:
            owner, _, field = label[len("static "):].rpartition(".")
            self.static_by_simple.setdefault(f"{simple_name(owner)}.{field}", []).append(label)

    def root(self, text):
        """The objects that a root's words mean; None: words that this does not know."""
        heap = self.heap
        match = re.search(r"static (?:field )?([\w.$/]+)", text)
        if match:
            name = match.group(1)
            labels = [f"static {name}"] if f"static {name}" in heap.statics else self.static_by_simple.get(name, [])
            return {node for label in labels for node in heap.statics[label]}
        match = re.search(r'thread "([^"]*)" in ([\w.$<>]+)', text)
        if match:
            return {node for tag, node, thread, frame in heap.roots
                    if tag in LOCALS and thread == match.group(1) and (frame or "").startswith(match.group(2))}
        names = re.findall(r'"([^"]*)"', text)
        if "hread" in text and names:
            patterns = [re.compile(re.escape(name).replace(r"\#", "[0-9]+") + "$") for name in names]
            return {node for node, name in heap.thread_names.items() if name and any(p.match(name) for p in patterns)}
        if re.search(r"hread", text):
            return set(heap.thread_names)
        if re.search(r"[Ff]inaliz", text):
            return set(heap.by_class["java.lang.ref.Finalizer"]) | {
                target for node in heap.by_class["java.lang.ref.Finalizer"] for target, _ in heap.weak.get(node, ())}
        return None

    def reach(self, begin, wanted):
        """Objects of a class that are in `begin` or behind it by what a way need not say."""
        heap, names = self.heap, self.heap.names
        seen, stack, found = set(begin), list(begin), set()
        is_first = set(begin)
        while stack:
            node = stack.pop()
            name = names[node]
            if self.simple[name] == wanted or name == wanted:
                found.add(node)
            if node not in is_first and not is_inside(name) and self.simple[name] != wanted and name != wanted:
                continue
            for target, _ in heap.edges[node] + heap.weak.get(node, []) * (name == "java.lang.ref.Finalizer"):
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        return found

    def follow(self, begin, hops):
        """The objects at the end of hops "Class" or "Class.field" from objects; and the first hop that does not exist."""
        state = set(begin)
        matched = state
        for hop in hops:
            name, _, field = hop.rpartition(".")
            is_field = bool(name) and self.is_class(name) and not self.is_class(hop)
            wanted = name if is_field else hop
            matched = self.reach(state, wanted)
            if is_field:
                labels = {hop, f"{simple_name(name)}.{field}"}
                following = {target for node in matched for target, label in self.heap.edges[node]
                             if label in labels or label.rpartition(".")[2] == field}
            else:
                following = matched
            if not following:
                return set(), hop
            state = following
            matched = following if is_field else matched
        return matched, None

    def by_field(self, name):
        """What a field of this name ("Shop.sessions", whatever the package) references."""
        if name in self.static_by_simple:
            return {node for label in self.static_by_simple[name] for node in self.heap.statics[label]}
        if self.by_label is None:
            self.by_label = {}
            for node, edges in enumerate(self.heap.edges):
                if not self.heap.names[node].endswith("[]"):
                    for target, label in edges:
                        self.by_label.setdefault(label, set()).add(target)
        return self.by_label.get(name, set())

    def is_below(self, begin, nodes):
        """How many of the objects those keep alive, or reach without a class, thread or loader between."""
        heap, wanted = self.heap, set(nodes)
        seen, stack = set(begin), list(begin)
        while stack:
            node = stack.pop()
            if heap.names[node] in ENDS and node not in begin:
                continue
            for target, _ in heap.edges[node]:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        return len(wanted & seen)

    def is_class(self, name):
        return name in self.heap.by_class or name in self.by_simple


class Places:
    """Whether the places of an owner that memcity says are in the dominator tree, with as many objects and bytes."""

    TOLERANCE = 0.02  # of bytes: sizes are estimated by the reference

    def __init__(self, ways):
        self.ways, self.heap = ways, ways.heap
        self.below = {}
        for node, above in self.heap.idom.items():
            self.below.setdefault(above, []).append(node)

    def faults(self, owner):
        place = None
        for number, hop in enumerate(owner["path"]):
            place = self.first(owner, hop) if number == 0 else self.following(place, hop)
            text = f"{hop['field']} → {hop['class']}"
            if not place:
                yield f"no place {text}, at {number} from {owner['root']}"
                return
            retained = sum(self.heap.retained[node] for node in place if self.heap.idom[node] not in place)
            if hop["objects"] != len(place):
                yield f"{text}: {hop['objects']} objects, not {len(place)}"
            if abs(hop["retained_bytes"] - retained) > self.TOLERANCE * retained + 64:
                yield f"{text}: retains {hop['retained_bytes']}, not {retained}"

    def first(self, owner, hop):
        heap, root = self.heap, owner["root"]["text"] if isinstance(owner["root"], dict) else owner["root"]
        begin = self.ways.root(root)
        if begin is None:  # several owners, or a kind of root: what no object alone keeps
            begin = {node for top in range(heap.count, heap.count + 3) for node in self.below.get(top, ())}
        return self.with_chain({node for node in begin if heap.names[node] == hop["class"] and node in heap.idom})

    def following(self, place, hop):
        heap, found = self.heap, set()
        for above in place:
            for node in self.below.get(above, ()):
                if heap.names[node] == hop["class"] and node not in place and self.is_by(above, node, hop["field"]):
                    found.add(node)
        return self.with_chain(found)

    def is_by(self, above, node, field):
        labels = {label for target, label in self.heap.edges[above] + self.heap.weak.get(above, []) if target == node}
        if field is None:
            return not labels
        return any(label == field or label.removeprefix("static ") == field.removeprefix("static ") or
                   label.startswith("static ") and label.endswith("." + field) for label in labels)

    def with_chain(self, place):
        """With what is below of the same class at once: the nodes of a list are one place."""
        found, stack = set(place), list(place)
        while stack:
            above = stack.pop()
            for node in self.below.get(above, ()):
                if self.heap.names[node] == self.heap.names[above] and node not in found:
                    found.add(node)
                    stack.append(node)
        return found


FIELD = re.compile(r"(?<![\w.$])([A-Z][\w$]*\.[a-z_A-Z][\w$]*)(?![\w$]*[.(])")


def fields_of(sentence):
    """The fields that a sentence names, static ones and others."""
    for name in FIELD.findall(sentence):
        if not name.endswith(".java"):
            yield name


def hops_of(sentence):
    """The ways in a sentence: lists of what stands between arrows."""
    for part in re.split(r"[;:]\s|,\s(?:since|or by|\+)|\.\s(?=[A-Z])|\.$| by (?=static|thread|a local)", sentence):
        if "→" in part:
            words = [word.strip() for word in part.split("→")]
            begin = re.search(r'(static (?:field )?[\w.$/]+|(?:a local variable of )?thread "[^"]*"(?: in [^ →]+)?|[^:;]*hread.*|.*inaliz.*)$',
                              words[0])
            words[0] = begin.group(1) if begin else words[0]
            words[-1] = re.split(r"[ ,]", words[-1])[0]
            yield words
