#!/usr/bin/env python3
"""Holds the console blocks of documents against what memcity answers.

usage: answers.py [--write] MEMCITY DOCUMENT…

A line "$ memcity …" of such a block is run in the document's folder; the lines that follow are its answer, with the exit code
as a last line "exit code N" where that is not 0. Prints what differs, exit code 1 if there is anything; with --write puts the
answer into the document instead.
"""
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.S | re.M)


def answer(memcity, command, folder):
    words = shlex.split(command)
    if words[0] != "memcity":
        sys.exit(f"answers.py: not a command of memcity: {command}")
    done = subprocess.run([memcity, *words[1:]], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode in (0, 4):
        text = done.stdout
    else:
        text = done.stdout + done.stderr
    lines = [line.rstrip() for line in text.splitlines()]
    return lines + ([f"exit code {done.returncode}"] if done.returncode else [])


def main():
    arguments = sys.argv[1:]
    is_writing = arguments[:1] == ["--write"]
    memcity, *documents = arguments[is_writing:]
    memcity = str(pathlib.Path(memcity).resolve())
    differs, count = False, 0
    for document in map(pathlib.Path, documents):
        before = document.read_text(encoding="utf-8")

        def replace(match):
            nonlocal count
            lines = []
            for line in match[0].splitlines():
                if line.startswith("$ "):
                    count += 1
                    lines += [line, *answer(memcity, line[2:], document.parent)]
            return "\n".join(lines) + "\n"

        after = BLOCK.sub(replace, before)
        if is_writing:
            document.write_text(after, encoding="utf-8")
        elif after != before:
            differs = True
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True),
                                                       str(document), "what memcity answers"))
    if count == 0:
        sys.exit("answers.py: no command in the documents")
    return 1 if differs else 0


sys.exit(main())
