"""dump_heap.py - writes the objects of this process as a file that memcity opens: every object that the collector
knows and what these reference, by which names, and who holds them. The standard library alone, Python 3.8 and later.

    import dump_heap; dump_heap.dump("heap-1.graph")    now and then, then: memcity why heap-*.graph
    import dump_heap; dump_heap.on_signal()             kill -USR2 PID writes heap-PID-1.graph, -2 …
    sys.remote_exec(PID, "/tmp/dump_heap.py")           from another process, Python 3.14 and later

The program stands still meanwhile: about 2 s for a million objects, whose ids need 100 bytes each. Names of modules,
classes, attributes and functions are written, and names of keys of small dicts; no other contents. No code of the
program runs for that (no property, no __sizeof__), and no error reaches it: what can't be read is left out, and a
file that can't be written is a line on stderr. Printed by `memcity agent python`.
"""
import gc
import os
import sys
import threading
import time
import types

NAMED_MOST = 200  # keys of a dict that are names; more are data
OPENED_MOST = 1000  # objects of a type whose attributes are asked for; that makes a dict for each

_mro = type.__dict__["__mro__"].__get__  # of a type, whatever its metaclass says
_vars = type.__dict__["__dict__"].__get__
_module = type.__dict__["__module__"].__get__
_qualname = type.__dict__["__qualname__"].__get__
_flags = type.__dict__["__flags__"].__get__
_LOCALS = (dict, type((lambda: sys._getframe().f_locals)()))  # of classes' bodies they may be anything
_running = threading.Lock()


def _clean(text):
    for wrong, right in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\0", "\\0")):
        text = str.replace(text, wrong, right)
    return text


class _Kind:
    """What is known of a type."""

    def __init__(self, kind):
        self.count = 0
        try:
            module = _module(kind)
        except AttributeError:
            module = ""
        self.module = _clean(module) if issubclass(type(module), str) else ""
        self.name = str.replace(_qualname(kind), "", "")
        self.is_builtin = self.module == "builtins"
        self.is_type = issubclass(kind, type)
        self.title = _clean(self.name if self.is_builtin else "%s.%s" % (self.module, self.name))
        bases = [_vars(base) for base in _mro(kind)]
        own = next((v["__sizeof__"] for v in bases if "__sizeof__" in v), None)
        self.get_size = sys.getsizeof if type(own) is types.MethodDescriptorType else object.__sizeof__
        written_in_c = (types.GetSetDescriptorType, types.MemberDescriptorType)
        self.dict = next((v["__dict__"] for v in bases if type(v.get("__dict__")) in written_in_c), None)
        self.members = []  # attributes that are kept in the object itself
        for base, names in zip(_mro(kind), bases):
            if not self.is_builtin and not self.is_type and _flags(base) & 1 << 9:
                found = [(k, v) for k, v in names.items() if type(v) is types.MemberDescriptorType]
                self.members += [("%s.%s" % (self.name, k), v) for k, v in found if type(k) is str]

    def is_opened(self):
        return not self.is_builtin and not self.is_type and self.count <= OPENED_MOST

    def get_dict(self, o):
        """Its attributes, if it has a dict of them."""
        own = self.dict.__get__(o) if self.dict else None
        return own if issubclass(type(own), dict) else None


def _place(code, line):
    return "%s (%s:%d)" % (code.co_name, os.path.basename(code.co_filename), line or code.co_firstlineno)


def _has_sites():
    trace = sys.modules.get("tracemalloc")
    return bool(trace and trace.is_tracing())


def _site(o):
    found = sys.modules["tracemalloc"].get_object_traceback(o)
    return _clean("%s:%d" % (found[-1].filename, found[-1].lineno)) if found else ""


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


def _write_nodes(out, seen, kinds):
    has_site = _has_sites()
    out.write("id\tsize\tflags\tmodule\ttype%s\n" % ("\tsite" if has_site else ""))
    for key, o in seen.items():
        known = kinds.get(id(type(o)))
        if not known:
            try:
                known = _Kind(type(o))
            except Exception:
                known = _Kind(object)
            kinds[id(type(o))] = known
        known.count += 1
        try:
            size = known.get_size(o)
        except Exception:
            size = 0
        row = (key, size, "runtime" if known.is_builtin else "", known.module, known.title)
        out.write("%d\t%d\t%s\t%s\t%s" % row + ("\t" + _site(o) if has_site else "") + "\n")


def _name_all(seen, kinds):
    """Whose dict it is, and what a cell is called by its function."""
    owners, cells = {}, {}
    for o in seen.values():
        known = kinds[id(type(o))]
        try:
            if known.is_opened():
                owners[id(known.get_dict(o))] = known.name + "."
            elif type(o) is types.FunctionType and o.__closure__:
                for variable, cell in zip(o.__code__.co_freevars, o.__closure__):
                    cells.setdefault(id(cell), "closure variable %s of %s" % (variable, _place(o.__code__, 0)))
        except Exception:  # it does not tell
            pass
    return owners, cells


def _fields(o, known, owner, kept):
    """Names of what it references, by id: attributes, keys of a small dict of texts."""
    if type(o) is dict:
        named = list(o.items()) if len(o) <= NAMED_MOST else []
        return {id(v): owner + k for k, v in named if type(k) is str and k.isidentifier()}
    if known.is_type:
        name = str.replace(_qualname(o), "", "")
        return {id(v): "%s.%s" % (name, k) for k, v in list(_vars(o).items()) if type(k) is str}
    names = {}
    if known.is_opened():
        own = known.get_dict(o)
        if own is not None:
            kept.append(own)  # so that it stays until the end
            named = list(dict.items(own)) if len(own) <= NAMED_MOST else []
            names = {id(v): "%s.%s" % (known.name, k) for k, v in named if type(k) is str}
        for name, member in known.members:
            try:
                names[id(member.__get__(o))] = name
            except AttributeError:
                pass
    return names


def _write_references(out, seen, kinds):
    owners, cells = _name_all(seen, kinds)
    kept = []
    out.write("from\tto\tfield\tkind\n")
    for key, o in seen.items():
        try:
            names = _fields(o, kinds[id(type(o))], owners.get(key, ""), kept)
        except Exception:
            names = {}
        for r in gc.get_referents(o):
            if id(r) in seen:
                name = cells[key] if key in cells else names.pop(id(r), "")
                out.write("%d\t%d\t%s\t\n" % (key, id(r), _clean(name)))
        if type(o) is not dict:  # what an object's or a class's own dict holds is held by that
            for r, name in names.items():
                if r in seen:
                    out.write("%d\t%d\t%s\t\n" % (key, r, _clean(name)))


def _write_roots(out, seen, kinds, frame):
    out.write("root\tkind\tname\n")
    for module, o in list(sys.modules.items()):
        try:
            for k, v in list(dict.items(kinds[id(type(o))].get_dict(o))):
                if id(v) in seen and not (k.startswith("__") and k.endswith("__")):
                    out.write("%d\tglobal\t%s\n" % (id(v), _clean("%s.%s" % (module, k))))
        except Exception:  # a module that is none
            pass
    threads = dict(threading._active)  # without its lock, which the thread that is interrupted may have
    for ident, top in list(sys._current_frames().items()):
        thread, at = threads.get(ident), frame if ident == threading.get_ident() else top
        while at:
            try:
                own = kinds[id(type(thread))].get_dict(thread) if thread else {}
                name = own.get("_name")
                words = (_place(at.f_code, at.f_lineno), name if type(name) is str else ident)
                words, found = _clean("%s in thread %s" % words), at.f_locals
                is_told = type(found) in _LOCALS and at.f_globals is not globals()
                for v in list(found.values()) if is_told else ():
                    if id(v) in seen:
                        out.write("%d\tstack\t%s\n" % (id(v), words))
            except Exception:
                pass
            at = at.f_back


def _write(path, frame):
    mine = {id(sys._getframe())}
    mine.add(id(mine))
    seen = _collect(mine)
    kinds = {}
    with open(path, "w", encoding="utf-8", errors="replace") as out:
        out.write("#memcity graph 1\n# time=%d\n" % (time.time() * 1000))
        _write_nodes(out, seen, kinds)
        _write_references(out, seen, kinds)
        _write_roots(out, seen, kinds, frame)


def dump(path=None):
    """Writes all objects to a file; another one of that name is replaced when it is whole. Without a path:
    heap-PID-N.graph in the current folder. Returns whether it is written; not if one is just being written."""
    if not _running.acquire(False):
        return False
    was_on, part = gc.isenabled(), None
    try:
        path = path or _next_path()
        part = "%s.part" % path
        gc.collect()
        gc.disable()
        _write(part, sys._getframe(1))
        os.replace(part, path)
        part = None
        return True
    except Exception as wrong:
        try:
            os.write(2, ("memcity: can't write %s: %s\n" % (path, wrong)).encode("utf-8", "replace"))
        except Exception:  # there is no stderr
            pass
        return False
    finally:
        if was_on:
            gc.enable()
        try:
            if part:
                os.unlink(part)
        except OSError:
            pass
        _running.release()


def _next_path():
    number = 1
    while os.path.exists("heap-%d-%d.graph" % (os.getpid(), number)):
        number += 1
    return "heap-%d-%d.graph" % (os.getpid(), number)


def on_signal(signal_number=None):
    """Writes heap-PID-N.graph into the current folder whenever the signal comes (SIGUSR2)."""
    import signal

    signal.signal(signal_number or signal.SIGUSR2, lambda *_: dump())


if "__name__" not in globals():  # run by sys.remote_exec(), in a namespace of its own
    dump(os.environ.get("MEMCITY_HEAP"))
