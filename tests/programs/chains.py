"""Whether a way that memcity says exists in a dump: "static field Shop.sessions → HashMap → HashMap$Node → Shop$Session"."""
import re

from heap_reference import FINALIZING, SOFT, simple_name

JDK = ("java.", "jdk.", "sun.", "javax.", "com.sun.")
ENDS = ("java.lang.Class", "java.lang.Thread", "java.lang.ClassLoader")
LATE_WORDS = {"pending finalizers": FINALIZING, "soft references": SOFT}  # in place of a root's class
SEVERAL = "(several)"
PASSING = (0x02, 0x03, 0x04, 0x06, 0x07, 0x8e)  # roots that are there as long as a method runs
OF_THREADS = ("Thread.contextClassLoader", "Thread.inheritedAccessControlContext", "Thread.group", "Thread$FieldHolder.group")
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
        self.labels = {label for edges in heap.edges for _, label in edges}
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
        names = re.findall(r'"([^"]*)"', text) or re.findall(r"threads? \(([^,)]*)", text)
        if "hread" in text and names:
            patterns = [re.compile(re.escape(name).replace(r"\#", "#").replace("#", "[0-9]+") + "$") for name in names]
            return {node for node, name in heap.thread_names.items() if name and any(p.match(name) for p in patterns)}
        if re.search(r"thread # in ([\w.$<>]+)", text):  # of threads without names
            frame_text = re.search(r"thread # in ([\w.$<>]+)", text).group(1)
            return {node for tag, node, thread, frame in heap.roots
                    if tag in LOCALS and not thread and (frame or "").startswith(frame_text)}
        if re.search(r"hread", text):
            return set(heap.thread_names)
        if re.search(r"[Ff]inaliz", text):
            return set(heap.by_class["java.lang.ref.Finalizer"]) | {
                target for node in heap.by_class["java.lang.ref.Finalizer"] for target, _ in heap.weak.get(node, ())}
        return None

    def reach(self, begin, wanted, labels=()):
        """Objects of a class, or with such a field, which may be that of a class above, that are in `begin` or behind it by what
        a way need not say."""
        heap, names = self.heap, self.heap.names
        seen, stack, found = set(begin), list(begin), set()
        is_first = set(begin)
        while stack:
            node = stack.pop()
            name = names[node]
            is_wanted = wanted in (self.simple[name], name) or labels and any(label in labels for _, label in heap.edges[node])
            if is_wanted:
                found.add(node)
            if node not in is_first and not is_inside(name) and not is_wanted:
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
            labels = {hop, f"{simple_name(name)}.{field}"}
            # of a class above, there may be no objects
            is_field = bool(name) and not self.is_class(hop) and (self.is_class(name) or not labels.isdisjoint(self.labels))
            labels = labels if is_field else ()
            matched = self.reach(state, name if is_field else hop, labels)
            if is_field:
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
            found = {node for label in self.static_by_simple[name] for node in self.heap.statics[label]}
            return found | self.values_of(found)
        if self.by_label is None:
            self.by_label = {}
            for node, edges in enumerate(self.heap.edges):
                if not self.heap.names[node].endswith("[]"):
                    for target, label in edges:
                        self.by_label.setdefault(label, set()).add(target)
        return self.by_label.get(name, set())

    def values_of(self, locals_):
        """What threads have as the values of these, where they are ThreadLocals."""
        heap = self.heap
        return {target for entry in heap.by_class["java.lang.ThreadLocal$ThreadLocalMap$Entry"]
                if any(key in locals_ for key, _ in heap.weak.get(entry, []))
                for target, label in heap.edges[entry] if label.endswith("Entry.value")}

    def is_below(self, begin, nodes):
        """How many of the objects those keep alive, or reach without a class, thread or loader between."""
        heap, wanted = self.heap, set(nodes)
        seen, stack = set(begin), list(begin)
        # a loader is held by the classes that it has loaded
        ends = () if all(heap.names[node].endswith("ClassLoader") for node in wanted) else ("java.lang.Class", "java.lang.ClassLoader")
        while stack:
            node = stack.pop()
            if heap.names[node] in ends and node not in begin:
                continue
            for target, label in heap.edges[node]:
                if target not in seen and label not in OF_THREADS:
                    seen.add(target)
                    stack.append(target)
        return len(wanted & seen)

    def is_class(self, name):
        return name in self.heap.by_class or name in self.by_simple


class Places:
    """Whether the places on an owner's way exist, with as many objects, and whether so much goes without them.

    Objects are followed by references, field by field; a way that comes to the field and class of a place a little above is that
    place again, and so are objects of the same class that follow one another. What goes is what nothing reaches without the objects;
    what a thread's stack refers to is the thread's.
    """

    TOLERANCE = 0.03  # of bytes: sizes are estimated by the reference
    FOLD_DISTANCE = 4

    def __init__(self, ways):
        self.ways, self.heap, self.lasting = ways, ways.heap, None

    def faults(self, owner):
        path = owner["path"]
        if path[-1]["class"] == SEVERAL:
            return  # many places that retain little each
        places = self.follow(path, self.first(owner, path[0]))
        for number, (hop, place) in enumerate(zip(path, places)):
            text = f"{hop['field']} → {hop['class']}"
            if not place:
                yield f"no place {text}, at {number} from {owner['root']}"
                return
            if number in (0, len(path) - 1):
                if hop["objects"] > len(place):
                    yield f"{text}: {hop['objects']} objects, not {len(place)}"
                is_gone, gone = self.is_gone(place, hop["retained_bytes"])
                if not is_gone:
                    yield f"{text}: retains {hop['retained_bytes']}, not {gone}"

    def first(self, owner, hop):
        begin = self.ways.root(owner["root"]["text"] if isinstance(owner["root"], dict) else owner["root"])
        if hop["class"] in LATE_WORDS:
            return set(self.heap.begins[LATE_WORDS[hop["class"]]])
        if begin is None:  # several owners, or a kind of root
            begin = self.heap.by_class[hop["class"]]
        found = {node for node in begin if node < self.heap.count and self.heap.names[node] == hop["class"]}
        for node in list(found):
            found |= {target for target, _ in self.heap.edges[node] if self.heap.names[target] == hop["class"]}
        return found

    def follow(self, path, begin):
        heap, places = self.heap, [set() for _ in path]
        places[0] = set(begin)
        if path[0]["class"] in LATE_WORDS and len(path) > 1:
            places[1] = {node for node in begin if heap.names[node] == path[1]["class"]}
        stack = [(node, 1, 0) for node in places[1]] if len(path) > 1 else []
        stack += [(node, 0, 0) for node in begin]
        seen = set(stack)

        def go(target, state, away):
            if (target, state, away) not in seen:
                seen.add((target, state, away))
                stack.append((target, state, away))

        while stack:
            node, at, away = stack.pop()
            name = heap.called(node)
            for target, label in heap.edges[node] + heap.weak.get(node, []) * (name == "java.lang.ref.Finalizer"):
                is_on = False
                for state in self.states(path, at, name if away == 0 else None, heap.called(target), label):
                    is_on = True
                    places[state].add(target)
                    go(target, state, 0)
                # beside the way there may be what leads back to it, as a map in a map
                if not is_on and away + 1 < self.FOLD_DISTANCE and at > 0 and is_inside(heap.names[target]):
                    go(target, at, away + 1)
            if away == 0 and at + 1 < len(path) and path[at + 1]["field"] is None:
                for other in heap.by_class[path[at + 1]["class"]]:
                    if heap.idom.get(other) == node:
                        places[at + 1].add(other)
                        go(other, at + 1, 0)
        return places

    def states(self, path, at, name, below, label):
        if name and at + 1 < len(path) and below == path[at + 1]["class"] and self.is_by(label, path[at + 1]["field"]):
            yield at + 1
        if below == name and not name.endswith("[]"):
            yield at
        for state in range(max(1, at - self.FOLD_DISTANCE), at + 1):
            if below == path[state]["class"] and self.is_by(label, path[state]["field"]):
                yield state

    @staticmethod
    def is_by(label, field):
        if field is None:
            return False
        if field.startswith("ThreadLocal "):
            return label == "ThreadLocal$ThreadLocalMap$Entry.value"
        return label == field or label.removeprefix("static ") == field or \
            label.startswith("static ") and label.endswith("." + field.removeprefix("static "))

    def is_gone(self, place, claimed):
        """Whether so many bytes go without them, and how many do. What a thread has on its stack for a while is no owner of what
        others hold, too."""
        lasting = [(tag, node) for tag, node, _, _ in self.heap.roots if tag not in PASSING]
        if self.lasting is None:
            self.lasting = self.kept(lasting, ())
        gone = self.lasting - self.kept(lasting, place)
        if claimed > gone:
            threads = {self.heap.thread_names.get(node) for node in place} - {None}
            roots = [(tag, node) for tag, node, thread, _ in self.heap.roots if tag not in PASSING or thread not in threads]
            gone = max(gone, self.heap.retained[self.heap.count] - self.kept(roots, place))
        return claimed <= gone * (1 + self.TOLERANCE) + 64, gone

    def kept(self, roots, place):
        heap = self.heap
        seen = {node for _, node in roots} | {node for region in (FINALIZING, SOFT) for node in heap.begins[region]}
        seen -= set(place)
        stack = list(seen)
        while stack:
            for target in heap.successors(stack.pop()):
                if target not in seen and target not in place:
                    seen.add(target)
                    stack.append(target)
        return sum(heap.size[node] for node in seen)


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
