#!/usr/bin/env python3
"""Whether the checker finds what is wrong: usage: check_checker.py DUMP, the last one of com.acme.shop.Shop."""
import random
import sys

import agreements
import chains
import heap_reference

TRUE = ["Shop$Session objects pile up: static field Shop.sessions → HashMap → HashMap$Node → Shop$Session, since step 0",
        "Held by static field Shop.sessions → HashMap → HashMap$Node[] → HashMap$Node → Shop$Session.cart → ArrayList → Shop$Item.",
        "Held by static com.acme.shop.Shop.sessions → HashMap.table → HashMap$Node.key → Shop$SessionKey.user → String → byte[]"]
FALSE = ["static field Recorder.DIAGNOSTICS → HashMap → HashMap$Node → Shop$Session, since step 0",
         "static field Shop.carts → HashMap → HashMap$Node → Shop$Session, since step 0",
         "static field Shop.sessions → ArrayList → Shop$Session, since step 0",
         "static field Shop.sessions → HashMap → HashMap$Node → Shop$Item, since step 0",
         "Held by static field Shop.sessions → HashMap → Shop$Session.token → Shop$Item.",
         "Held by static com.acme.shop.Shop.sessions → HashMap.table → HashMap$Node.key → Shop$Session → byte[]",
         'Held by a local variable of thread "main" in com.acme.shop.Shop.main(Shop.java:1) → ArrayList → Shop$Session.']


def is_true(ways, sentence):
    said = list(chains.hops_of(sentence))
    assert said, sentence
    for words in said:
        begin = ways.root(words[0])
        if not begin or ways.follow(begin, words[1:])[1]:
            return False
    return True


def check_dominators(heap):
    """What an object retains is what nothing reaches without it."""
    chance = random.Random(5)
    reached = heap.order
    large = sorted(reached, key=lambda node: -heap.retained_count[node])[:100]
    for node in chance.sample(large, 12) + chance.sample(reached, 12):
        assert heap.retained_count[node] == len(heap.order) - len(heap.reach({node})), heap.names[node]


def answers(heap, name):
    """What memcity says of a class if it is right."""
    nodes = heap.by_class[name]
    size, objects = heap.retained_by(nodes)
    rows = [{"parent": None, "field": None, "class": "GC root", "objects": len(nodes), "bytes": size, "folded": False}]
    hops = [(None, "class com.acme.shop.Shop"), ("static Shop.sessions", "java.util.HashMap"), ("HashMap.table", "java.util.HashMap$Node[]"),
            ("HashMap$Node[] elements", "java.util.HashMap$Node"), ("HashMap$Node.value", name)]
    top = next(node for node in heap.class_objects["com.acme.shop.Shop"])
    if not any(node == top for _, node, _, _ in heap.roots):
        heap.roots.append((0x05, top, None, None))
    for parent, (field, kind) in enumerate(hops):
        rows.append({**rows[0], "parent": parent, "field": field, "class": kind})
    trail = {"root": {"name": "static com.acme.shop.Shop.sessions"}, "means": "plain",
             "hops": [{"field": "HashMap$Node.value"}, {"field": "HashMap$Node[] elements"}, {"field": "HashMap.table"}]}
    return {"whatif": {"objects": objects, "bytes": size, "retained": {"objects": objects, "bytes": size}},
            "paths": {"paths": rows}, "roots": {"trail": trail}}


def check_agreements(heap):
    name = "com.acme.shop.Shop$Session"
    cause = {"key": agreements.leaf_key(name), "root": {"text": "static com.acme.shop.Shop.sessions"}, "path": []}

    def faults(change):
        said = answers(heap, name)
        cause["root"]["text"] = "static com.acme.shop.Shop.sessions"
        change(said)
        checker = agreements.Agreements(lambda command, *_: said[command], heap)
        return list(checker.faults({}, {"causes": [cause]}, name))

    assert faults(lambda said: None) == [], faults(lambda said: None)
    assert faults(lambda said: said["whatif"].update(objects=said["whatif"]["objects"] - 1))
    assert faults(lambda said: said["whatif"]["retained"].update(objects=7))
    assert faults(lambda said: said["paths"]["paths"][0].update(objects=1))
    assert faults(lambda said: said["paths"]["paths"][3].update(field="HashMap.entrySet"))
    assert faults(lambda said: said["paths"]["paths"][2].update(field="static Shop.others"))
    assert faults(lambda said: said["roots"]["trail"]["root"].update(name="static com.acme.record.Recorder.DIAGNOSTICS"))
    assert faults(lambda said: said["roots"]["trail"]["hops"].pop(0) and said["roots"]["trail"]["hops"].insert(0, {"field": "ArrayList.elementData"}))
    assert faults(lambda said: cause["root"].update(text="static com.acme.record.Recorder.DIAGNOSTICS"))


def check_places(heap):
    """An owner's way, and each figure of it."""
    places = chains.Places(chains.Ways(heap))

    def owner(**changed):
        sessions = heap.by_class["com.acme.shop.Shop$Session"]
        top, = heap.statics["static com.acme.shop.Shop.sessions"]
        hops = [("static com.acme.shop.Shop.sessions", "java.util.HashMap", [top]), ("HashMap.table", "java.util.HashMap$Node[]", None),
                ("HashMap$Node[] elements", "java.util.HashMap$Node", None), ("HashMap$Node.value", "com.acme.shop.Shop$Session", sessions)]
        path = [{"field": field, "class": name, "objects": len(nodes or [1]), "retained_bytes": heap.retained_by(nodes or [top])[0]}
                for field, name, nodes in hops]
        for key, value in changed.items():
            path[-1][key] = value
        return {"root": "static com.acme.shop.Shop.sessions", "path": path, "content": path[-1]}

    count = len(heap.by_class["com.acme.shop.Shop$Session"])
    assert not list(places.faults(owner())), list(places.faults(owner()))
    assert list(places.faults(owner(objects=count + 1)))
    assert list(places.faults(owner(retained_bytes=owner()["path"][-1]["retained_bytes"] * 1.1)))
    assert list(places.faults(owner(field="HashMap$Node.key")))
    assert list(places.faults({**owner(), "root": "static com.acme.record.Recorder.DIAGNOSTICS"}))


def main():
    heap = heap_reference.Heap(sys.argv[1])
    heap.find_dominators()
    ways = chains.Ways(heap)
    for sentence in TRUE:
        assert is_true(ways, sentence), sentence
    for sentence in FALSE:
        assert not is_true(ways, sentence), sentence
    check_dominators(heap)
    check_agreements(heap)
    check_places(heap)
    print(f"{len(FALSE)} false ways are found")


if __name__ == "__main__":
    main()
