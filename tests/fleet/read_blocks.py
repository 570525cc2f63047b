#!/usr/bin/env python3
"""Writes the named blocks of a document: read_blocks.py DOCUMENT FOLDER.

A fence says what it is and what it is called: ```sql city.sql becomes FOLDER/city.sql, ```sh import becomes
FOLDER/import.sh. A block without a name is no command that a test runs; sh and sql need one.
"""
import os
import re
import sys


def main():
    document, folder = sys.argv[1:]
    text = open(document, encoding="utf-8").read()
    seen = set()
    for language, name, body in re.findall(r"^```(\w+)[ ]*([^\n]*)\n(.*?)^```$", text, re.M | re.S):
        if language not in ("sh", "sql"):
            continue
        if not re.fullmatch(r"[a-z][a-z0-9.-]*", name) or name in seen:
            sys.exit(f"{document}: a block of {language} needs a name of its own, not \"{name}\"")
        seen.add(name)
        with open(os.path.join(folder, name if language == "sql" else name + ".sh"), "w", encoding="utf-8") as file:
            file.write(("set -e\n" if language == "sh" else "") + body)


main()
