#!/usr/bin/env python3
"""Who may include whom: folders depend only on those before them, and no files include each other in a circle.

usage: includes.py [FOLDER]   (the repository; prints what is wrong, exit code 1 if there is anything)
"""
import pathlib
import re
import sys

from circles import find_circles

# Each folder may include itself and what stands before it. What is not named here is for nobody.
ORDER = [
    "engine/base", "engine/graph", "engine/trace", "engine/store", "engine/heap", "engine/import", "engine/live", "engine/serve", "engine/analyze", "engine/layout",
    "engine/city", "engine/tree", "engine/scene", "engine/gpu", "engine/render", "app", "agent",
]
# The core builds without Vulkan, and the session without a window; only a view's painter needs a device. Whoever shows a
# session knows no view in particular. The agent is a program of its own; what it shares is how both know each other, what text is, arrays
# and tables.
FORBIDDEN = {
    r"engine/(base|trace|store|heap|import|live|serve|analyze|layout|city|tree|scene)/": r"vulkan|volk|GLFW|imgui",
    r"app/session/": r"vulkan|volk|GLFW|imgui|engine/gpu/|engine/render/|app/views/",
    r"app/views/(?!.*painter)": r"vulkan|volk|GLFW|imgui|engine/gpu/|engine/render/|app/ui/|app/window/",
    r"app/window/": r"engine/city/|app/views/city/",
    r"agent/": r"^(engine/(?!base/(agent_protocol|agent_proof|memory|peer|sha256|slots|utf8)\.h)|app/)",
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.M)
# Bridges to a library in C++ belong to the header of the same name, as any source does.
SOURCE = re.compile(r"\.(c|cpp|h)$")


def rank(path):
    for i, folder in enumerate(ORDER):
        if path.startswith(folder + "/"):
            return i
    return -1


def unit(path):
    """A source and its header count as one."""
    return SOURCE.sub("", path)


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    wrong = []
    units, folders = {}, {}
    for path in sorted(p for part in ("engine", "app", "agent") for p in (top / part).rglob("*")):
        name = str(path.relative_to(top))
        if not SOURCE.search(name):
            continue
        text = path.read_text(encoding="utf-8")
        for quoted, angled in INCLUDE.findall(text):
            for folder, pattern in FORBIDDEN.items():
                if re.match(folder, name) and re.search(pattern, quoted or angled):
                    wrong.append(f"{name} includes {quoted or angled}")
            if rank(quoted) < 0:
                continue
            if rank(quoted) > rank(name):
                wrong.append(f"{name} includes {quoted}, which comes after it")
            here, there = str(pathlib.PurePath(name).parent), str(pathlib.PurePath(quoted).parent)
            if here != there:
                folders.setdefault(here, set()).add(there)
            if unit(name) != unit(quoted):
                units.setdefault(unit(name), set()).add(unit(quoted))
    wrong += ["folders in a circle: " + ", ".join(circle) for circle in find_circles(folders)]
    wrong += ["files in a circle: " + ", ".join(circle) for circle in find_circles(units)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
