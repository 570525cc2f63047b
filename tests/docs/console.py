#!/usr/bin/env python3
"""Runs the commands of the documents.

usage: console.py MEMCITY REPOSITORY [--write] [PAGE…]

Blocks marked `console` are run: lines that begin with "$ " by bash, in a folder of the page's own that holds the samples
below; what a command prints has to be what stands under it. A line "..." stands for any lines, " …" at the end of a line
for its rest. --write puts the present output there in full, where it was wrong.

In all other blocks, and in `code` within a text, each memcity command has to have the options that it is given.
Prints what is wrong; exit code 1 if there is anything.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SAMPLES = {
    "shop.mct": "examples/web-app/before.mct",
    "shop-fixed.mct": "examples/web-app/after.mct",
    "orders-1.mct": "examples/two-versions/version-1.mct",
    "orders-2.mct": "examples/two-versions/version-2.mct",
    "orders-3.mct": "examples/two-versions/version-3.mct",
    "histo.txt": "tests/data/histogram/many.txt",
    "shop.smaps": "tests/data/smaps/jdk17.smaps",
    "shop.nmt.txt": "tests/data/smaps/jdk17.nmt.txt",
    "server.collapsed": "tests/data/collapsed/async-profiler.collapsed",
    "leak.heaptrack.zst": "tests/data/profiles/heaptrack-leak.zst",
    "page.heapsnapshot": "tests/data/objects/small.heapsnapshot",
}
FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.M | re.S)
ENDS = re.compile(r"^(?:\||\|\||&&?|;|<|>|>>|\(|\)|2>.*|\)\S*)$")


class Options:
    """The commands, and the options that the help of each lists."""

    def __init__(self, memcity):
        self.memcity, self.known = memcity, {}
        self.commands = set(re.findall(r"^  ([a-z]+) ", self.ask("help", "--all"), re.M)) | {"view"}

    def ask(self, *arguments):
        return subprocess.run([self.memcity, *arguments], capture_output=True, text=True, check=True).stdout

    def of(self, command):
        if command not in self.known:
            text = self.ask("help", command).split("\nCommands of a script")[0]
            if command == "video":  # of a flat tree it has others
                text += self.ask("video", "--as", "sunburst", "--help")
            self.known[command] = set(re.findall(r"(?<=[ \n])--?[a-z][a-z-]*", text)) | {"--help"}
        return self.known[command]

    def check(self, words):
        """What is wrong with the words behind `memcity`; nothing if all is right."""
        first = words[0] if words else ""
        if first in ("help", "usage", "--version", "--help", "bench", "") or first in self.commands and len(words) == 1:
            return
        command = first if first in self.commands else "open"
        if command == "open" and re.fullmatch(r"[a-z]{3,}", first) and first != "open":
            yield f"there is no command {first}"
            return
        for word in words:
            if word == "--":
                return
            name = re.match(r"(--[a-z][a-z-]*|-[a-zA-Z])(?:=|$)", word)
            if name and name[1] not in self.of(command):
                yield f"memcity {command} has no option {name[1]}"


def commands_in(line):
    """The words behind each `memcity` of a shell's line."""
    line = re.sub(r"[$`]\(|\[|\]", " ", line)
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:  # an apostrophe in a remark
        words = line.split()
    found = None
    for word in words:
        if re.fullmatch(r"(?:\S*/)?memcity", word):
            if found is not None:
                yield found
            found = []
        elif ENDS.match(word) and found is not None:
            yield found
            found = None
        elif found is not None:
            found.append(word)
    if found is not None:
        yield found


def check_block(language, text, options):
    if language.split(" ")[0] not in ("", "sh", "bash", "text"):
        return
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        line = re.sub(r"^\$ |\s#.*|\s\s+[a-z].*$", "", line)  # a remark may stand far behind
        if re.match(r"\s*(?:\S+ \| |.*&& )?(?:\S*/)?memcity ", line) or "| memcity " in line:
            for words in commands_in(line):
                yield from options.check(words)


def matches(expected, printed):
    """Do the lines match? "..." stands for any lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(matches(expected[1:], printed[at:]) for at in range(len(printed) + 1))
    if not printed:
        return False
    is_same = printed[0].startswith(expected[0][:-1]) if expected[0].endswith("…") else printed[0].rstrip() == expected[0]
    return is_same and matches(expected[1:], printed[1:])


def split_turns(text):
    """Commands of a console block, and the lines under each."""
    turns = []
    for line in text.splitlines():
        if line.startswith("$ "):
            turns.append([line[2:], []])
        elif turns and turns[-1][0].endswith("\\") and not turns[-1][1]:
            turns[-1][0] += "\n" + line
        elif turns:
            turns[-1][1].append(line.rstrip())
    return turns


class Page:
    def __init__(self, path, top, options):
        self.path, self.top, self.options, self.folder, self.ran = path, top, options, None, 0

    def run(self, command):
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory()
            for name, file in SAMPLES.items():
                if (self.top / file).exists():
                    shutil.copy(self.top / file, f"{self.folder.name}/{name}")
        self.ran += 1
        done = subprocess.run(["bash", "-c", command], cwd=self.folder.name, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
        return [line.rstrip() for line in done.stdout.splitlines()]

    def check(self, is_written):
        text = self.path.read_text(encoding="utf-8")
        where = self.path.relative_to(self.top)

        def check_fence(match):
            language, inside = match[1].strip(), match[2]
            line = text.count("\n", 0, match.start()) + 1
            if language != "console":
                wrong.extend(f"{where}:{line}: {fault}" for fault in check_block(language, inside, self.options))
                return match[0]
            out = []
            for command, expected in split_turns(inside):
                printed = self.run(command)
                if not matches(expected, printed):
                    wrong.append(f"{where}:{line}: $ {command}\n  prints\n    " + "\n    ".join(printed[:30]))
                    expected = printed
                out += ["$ " + command, *expected]
            return "```console\n" + "\n".join(out) + "\n```"

        wrong = []
        written = FENCE.sub(check_fence, text)
        for code in re.findall(r"`(memcity [^`]+)`", FENCE.sub("", text)):
            for words in commands_in(code.replace("\n", " ")):
                wrong.extend(f"{where}: `{code}`: {fault}" for fault in self.options.check(words))
        if is_written and written != text:
            self.path.write_text(written, encoding="utf-8")
        if self.folder:
            self.folder.cleanup()
        return wrong


def main():
    arguments = [word for word in sys.argv[1:] if word != "--write"]
    memcity, top = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1]).resolve()
    pages = [pathlib.Path(name).resolve() for name in arguments[2:]] or \
        [top / "README.md", *sorted(top.glob("docs/**/*.md")), top / "bench/README.md", top / "CONTRIBUTING.md"]
    options = Options(memcity)
    wrong, ran = [], 0
    for path in pages:
        page = Page(path, top, options)
        wrong += page.check("--write" in sys.argv)
        ran += page.ran
    print("\n".join([*wrong, f"{ran} commands ran, {len(wrong)} wrong"]))
    return 1 if wrong or not ran else 0


sys.exit(main())
