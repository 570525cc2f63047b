"""dump_heap.py - writes the objects of this process as a file that memcity opens: every object that the collector
knows and what these reference, by which names, and who holds them. The standard library alone, Python 3.8 and later.

    import dump_heap; dump_heap.dump("heap-1.graph")    now and then, then: memcity why heap-*.graph
    import dump_heap; dump_heap.on_signal()             kill -USR2 PID writes heap-PID-1.graph, -2 …
    sys.remote_exec(PID, "dump_heap.py")                from another process, Python 3.14 and later

The program stands still meanwhile: about 2 s for a million objects, whose ids need 100 bytes each. Names of modules,
classes, attributes and functions are written, and names of keys of small dicts; no other contents.
Printed by `memcity agent python`.
"""
import gc
import os
import sys
import threading
import time

NAMED_MOST = 200  # keys of a dict that are names; more are data
OPENED_MOST = 1000  # objects of a type whose attributes are asked for; that makes a dict for each


def _name(kind):
    return kind.__qualname__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__qualname__)


def _clean(text):
    return str(text).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def _place(code, line):
    return "%s (%s:%d)" % (code.co_name, os.path.basename(code.co_filename), line or code.co_firstlineno)


def _has_sites():
    trace = sys.modules.get("tracemalloc")
    return bool(trace and trace.is_tracing())


def _site(o):
    found = sys.modules["tracemalloc"].get_object_traceback(o)
    return "%s:%d" % (found[-1].filename, found[-1].lineno) if found else ""


def _collect(mine):
    """All objects by their ids. What the collector does not track, as texts and numbers, is found by who has it."""
    seen, todo = {}, gc.get_objects()
    mine.update((id(seen), id(todo)))
    while todo:
        o = todo.pop()
        if id(o) in seen or id(o) in mine:
            continue
        seen[id(o)] = o
        more = gc.get_referents(o)
        mine.add(id(more))  # its address may be that of the next one
        todo.extend(r for r in more if id(r) not in seen)
        mine.discard(id(more))
    return seen


def _fields(o, owner):
    """Names of what it references, by id: attributes, closures' variables, keys of a small dict of texts."""
    if type(o) is dict:
        if len(o) <= NAMED_MOST:
            return {id(v): "%s%s" % (owner, k) for k, v in o.items() if type(k) is str and k.isidentifier()}
    elif isinstance(o, type):
        return {id(v): "%s.%s" % (o.__qualname__, k) for k, v in list(vars(o).items())}
    return {}


def _attributes(o, found):
    kind = type(o)
    for base in kind.__mro__:
        for k, v in list(vars(base).items()):
            if type(v).__name__ == "member_descriptor" and base.__module__ != "builtins":
                try:
                    found[id(v.__get__(o))] = "%s.%s" % (kind.__qualname__, k)
                except AttributeError:
                    pass


def _name_all(seen, counts):
    """Whose dict it is, and what a cell is called by its function."""
    owners, cells = {}, {}
    for o in list(seen.values()):
        kind = type(o)
        if kind.__module__ != "builtins" and not isinstance(o, type) and counts[kind] <= OPENED_MOST:
            try:
                owners[id(object.__getattribute__(o, "__dict__"))] = kind.__qualname__ + "."
            except Exception:  # it has none, or does not tell
                pass
        elif kind.__name__ == "function" and o.__closure__:
            for variable, cell in zip(o.__code__.co_freevars, o.__closure__):
                cells.setdefault(id(cell), "closure variable %s of %s" % (variable, _place(o.__code__, 0)))
    return owners, cells


def _write_references(out, seen, counts):
    owners, cells = _name_all(seen, counts)
    print("from\tto\tfield\tkind", file=out)
    for key, o in list(seen.items()):
        kind, names = type(o), _fields(o, owners.get(key, ""))
        if kind.__module__ != "builtins" and counts[kind] <= OPENED_MOST and not isinstance(o, type):
            try:  # attributes that are kept in the object itself
                own = object.__getattribute__(o, "__dict__")
                if len(own) <= NAMED_MOST:
                    names = {id(v): "%s.%s" % (kind.__qualname__, k) for k, v in own.items()}
                if id(own) not in seen:
                    seen[id(own)] = own  # so that it stays until the end
            except Exception:
                pass
            _attributes(o, names)
        for r in gc.get_referents(o):
            if id(r) in counts["ids"]:
                name = cells[key] if key in cells else names.pop(id(r), "")
                print(key, id(r), _clean(name), "", sep="\t", file=out)
        if type(o) is not dict:  # what an object's or a class's own dict holds is held by that
            for r, name in names.items():
                if r in counts["ids"]:
                    print(key, r, _clean(name), "", sep="\t", file=out)


def _write_roots(out, ids, frame):
    print("root\tkind\tname", file=out)
    for module, o in list(sys.modules.items()):
        for k, v in list(getattr(o, "__dict__", {}).items()):
            if id(v) in ids and not (k.startswith("__") and k.endswith("__")):
                print(id(v), "global", _clean("%s.%s" % (module, k)), sep="\t", file=out)
    threads = {t.ident: t.name for t in threading.enumerate()}
    for ident, top in list(sys._current_frames().items()):
        at = frame if ident == threading.get_ident() else top
        while at:
            words = "%s in thread %s" % (_place(at.f_code, at.f_lineno), threads.get(ident, ident))
            for v in list(at.f_locals.values()):
                if id(v) in ids:
                    print(id(v), "stack", _clean(words), sep="\t", file=out)
            at = at.f_back


def dump(path):
    """Writes all objects to a file; another one of that name is replaced when it is whole."""
    gc.collect()
    was_on, frame = gc.isenabled(), sys._getframe(1)
    gc.disable()
    try:
        mine = {id(sys._getframe())}
        mine.add(id(mine))
        seen = _collect(mine)
        counts = {}
        with open(path + ".part", "w", encoding="utf-8", errors="replace") as out:
            print("#memcity graph 1\n# time=%d" % (time.time() * 1000), file=out)
            has_site = _has_sites()
            print("id\tsize\tflags\tmodule\ttype" + ("\tsite" if has_site else ""), file=out)
            for key, o in seen.items():
                kind = type(o)
                counts[kind] = counts.get(kind, 0) + 1
                row = [key, sys.getsizeof(o, 0), "runtime" if kind.__module__ == "builtins" else "", kind.__module__, _name(kind)]
                print(*([*row, _clean(_site(o))] if has_site else row), sep="\t", file=out)
            ids = counts["ids"] = frozenset(seen)
            _write_references(out, seen, counts)
            _write_roots(out, ids, frame)
        os.replace(path + ".part", path)
    finally:
        if was_on:
            gc.enable()


def _next_path():
    number = 1
    while os.path.exists("heap-%d-%d.graph" % (os.getpid(), number)):
        number += 1
    return "heap-%d-%d.graph" % (os.getpid(), number)


def on_signal(signal_number=None):
    """Writes heap-PID-N.graph into the current folder whenever the signal comes (SIGUSR2)."""
    import signal

    signal.signal(signal_number or signal.SIGUSR2, lambda *_: dump(_next_path()))


if __name__ == "__main__" and sys.argv[:1] != [__file__]:  # injected into another program
    dump(os.environ.get("MEMCITY_HEAP") or _next_path())
