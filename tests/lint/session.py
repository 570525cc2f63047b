#!/usr/bin/env python3
"""The session's units call each other in no circle; its struct stays small, and nobody else writes
to it.

usage: session.py [FOLDER]   (the repository; prints what is wrong, exit code 1 if there is anything)
"""
import pathlib
import re
import sys

from circles import find_circles

MOST_MEMBERS = 40
DEFINED = re.compile(r"^(?!static\b)[a-z][\w *]*?\b(mc_\w+)\([^;{]*\)\s*\{", re.M)
# A field of a session or of what is in it, such as session->settings.step or view->session->turn.
FIELD = r"\bsession->[\w.]+(?:(?:->|\[[^\]]*\])[\w.]*)*"
WRITTEN = re.compile(rf"{FIELD}\s*(?:=(?!=)|(?:[-+*/%|&^]|<<|>>)=|\+\+|--)|(?:\+\+|--)[\w.>-]*{FIELD}")
# What could be written to through a pointer that is not const.
LENT = re.compile(rf"^(?!.*\bconst\b).*\*\s*\w+ = &[\w.>-]*{FIELD};", re.M)
NAMED = re.compile(r"\bmc_\w+")


def find_calls(folder):
    """Which unit names functions of which other ones."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.c"))}
    homes = {name: unit for unit, text in sources.items() for name in DEFINED.findall(text)}
    return {unit: {homes[name] for name in NAMED.findall(text) if homes.get(name, unit) != unit}
            for unit, text in sources.items()}


def count_members(header):
    """How many members struct mc_session has; in a list of names each counts."""
    body = re.search(r"^struct mc_session \{(.*?)^\};", header, re.M | re.S)[1]
    declarations = re.sub(r"//.*", "", body).split(";")
    return sum(len(one.split(",")) for one in declarations if one.strip())


def find_writes(folder):
    """Lines outside the session's folder that write to one of its fields."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".c", ".cpp", ".h") or path.parent == folder / "session":
            continue
        text = path.read_text(encoding="utf-8")
        for found in sorted((*WRITTEN.finditer(text), *LENT.finditer(text)), key=lambda one: one.start()):
            yield path, text.count("\n", 0, found.start()) + 1, " ".join(found[0].split())


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    graph = find_calls(top / "app/session")
    wrong = [f"app/session: {len(circle)} units call each other in a circle: " + ", ".join(circle)
             for circle in find_circles(graph)]
    count = count_members((top / "app/session/session.h").read_text(encoding="utf-8"))
    if count > MOST_MEMBERS:
        wrong.append(f"app/session/session.h: mc_session has {count} members, more than {MOST_MEMBERS}")
    wrong += [f"{path.relative_to(top)}:{line}: writes to a session: {what}"
              for path, line, what in find_writes(top / "app")]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
