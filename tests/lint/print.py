#!/usr/bin/env python3
"""JSON is written by app/print alone: nobody else writes keys and braces by hand.

usage: print.py [FOLDER]   (the repository; prints what is wrong, exit code 1 if there is anything)
"""
import pathlib
import re
import sys

# Who writes JSON otherwise, and why.
EXCEPTIONS = {
    "app/form.c": "settings: a struct's fields, from the table that reads them, too",
    "app/bench/generate.c": "a benchmark's input, gigabytes of it",
}
# A key with its colon, or the brace before a key, in a string.
LITERAL = re.compile(r'\\"[\w%]*\\":(?! )|{\\"')
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    wrong = []
    for path in sorted(p for kind in ("*.c", "*.cpp", "*.h") for p in (top / "app").rglob(kind)):
        name = str(path.relative_to(top))
        if name.startswith("app/print/") or name in EXCEPTIONS:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.lstrip().startswith("//"):
                continue
            if any(LITERAL.search(string) for string in STRING.findall(line)):
                wrong.append(f"{name}:{number}: JSON by hand: {line.strip()}")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
