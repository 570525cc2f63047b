"""leak.py IDIOM leak|healthy FOLDER: one way to leak in Python, or its healthy twin, which fills up and stays; five files of its objects."""
import functools
import sys

import dump_heap

idiom, mode, folder = sys.argv[1:4]
most = 10**9 if mode == "leak" else 300


class Session:
    def __init__(self, i):
        self.user = "user %d" % i
        self.body = bytes(500)


class Registry:
    live = {}

    def __init__(self):
        self.sessions = []


cache = {}
nodes = []
registry = Registry()


def make():
    kept = []

    def keep(i):
        kept.append(Session(i))
        if len(kept) > most:
            kept.pop(0)

    return keep


keep = make()


@functools.lru_cache(maxsize=None if mode == "leak" else 300)
def load(i):
    return Session(i)


class Node:
    def __init__(self, i):
        self.me = self
        self.session = Session(i)

    def __del__(self):
        pass


def in_global(i):
    cache[i % most] = Session(i)


def in_attribute(i):
    registry.sessions.append(Session(i))
    if len(registry.sessions) > most:
        registry.sessions.pop(0)


def in_class(i):
    Registry.live[i % most] = Session(i)


def in_cycle(i):
    nodes.append(Node(i))
    if len(nodes) > most:
        nodes.pop(0)


work = {"global": in_global, "attribute": in_attribute, "class": in_class, "closure": keep, "lru": load, "cycle": in_cycle}[idiom]
for step in range(5):
    for i in range(400):
        work(step * 400 + i)
    dump_heap.dump("%s/%s-%s-%d.graph" % (folder, idiom, mode, step))
