#!/usr/bin/env python3
"""Runs small programs, records them, and checks what memcity says of each against their heaps' objects.

usage: check_programs.py MEMCITY CLASSES [--jdk HOME]… [--quick] [--only PROGRAM,…] [--kinds KIND,…] [--keep FOLDER]
                         [--least PERCENT] [--accused COUNT] [--disagreements COUNT] [--sentences]

Kinds of recordings: series (of heap dumps), rest (its last dump), oom (what OutOfMemoryError left), histograms (a series of
class histograms), agent (memcity run --sites). expected.tsv says what is true of each program; ways and numbers that are said
are recomputed from the last dump (heap_reference.py). Prints one line for each sentence that is wrong, then a table.

With --keep what is recorded stays in FOLDER, and is not recorded again when it is there (but for the agent's).

The exit code is 1 if fewer than --least percent of the first sentences, and not all but one, are wholly true, more healthy programs are accused than
--accused says (none), or more answers of why, paths, roots and whatif disagree with the objects than --disagreements.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import agreements  # noqa: E402
import chains  # noqa: E402
import heap_reference  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ("series", "rest", "oom", "histograms", "agent")
CAUSES = 3  # of which the ways are checked
JVM = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
# What the JDK and the recorder keep for themselves is never a program's leak.
NEVER = r"MBean|MXBean|Jmx|Descriptor|PlatformMBean|acme\.record|Recorder|MBeanInstantiator|LauncherHelper|ModuleLayer|ArchivedModule|several owners \(0"
ACCUSES = r"pile|piles up|hold ever more|keeps growing\b(?<!Nothing keeps growing)|full in"
EXCUSES = r"slower than at first|look again|memory is short|^Nothing"


def read_table():
    with open(f"{HERE}/expected.tsv", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        yield {key: "" if value == "-" else value for key, value in row.items()}


def major(home):
    text = subprocess.run([f"{home}/bin/java", "-version"], capture_output=True, text=True, check=False).stderr
    return int(re.search(r'version "(\d+)', text).group(1))


class Recording:
    """One program on one JDK, in a folder."""

    def __init__(self, options, program, jdk, folder):
        self.options, self.program, self.jdk, self.folder = options, program, jdk, folder
        self.series = f"{folder}/series"
        self.wrong, self.scores, self.sentences, self.disagreements = [], {}, {}, []
        self.heaps = {}

    def java(self, options, mode):
        return [f"{self.jdk}/bin/java", *JVM, *options, "-cp", self.options.classes, f"com.acme.{self.program['class']}", mode,
                *filter(None, [self.program["argument"]])]

    def memcity(self, *arguments):
        done = subprocess.run([self.options.memcity, *arguments], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"memcity {' '.join(arguments)}: {done.returncode}: {done.stderr[:300]}")
        return done.stdout

    def record(self, kinds):
        is_recorded = os.path.isdir(self.series)
        os.makedirs(f"{self.series}/histograms", exist_ok=True)
        run = dict(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=150, check=False)
        if {"series", "rest", "histograms"} & set(kinds) and not is_recorded:
            done = subprocess.run(self.java(["-Xmx64m"], self.series), **run)
            if done.returncode:
                raise RuntimeError(f"{self.program['program']} can't be recorded: {done.stderr[-300:]}")
        if "oom" in kinds and self.leaks() and not os.path.exists(f"{self.folder}/oom.hprof"):
            subprocess.run(self.java(["-Xmx8m", "-XX:+HeapDumpOnOutOfMemoryError", "-XX:+ExitOnOutOfMemoryError",
                                      f"-XX:HeapDumpPath={self.folder}/oom.hprof"], "fill"), **run)
        if "agent" in kinds:
            if os.path.exists(f"{self.folder}/agent.mct"):
                os.remove(f"{self.folder}/agent.mct")
            subprocess.run([self.options.memcity, "run", "--sites", "all", "--every", "200ms", *self.options.agent_options,
                            "--quiet", "-o", f"{self.folder}/agent.mct", "--", *self.java(["-Xmx48m", "-Xmn4m"], "wait:14")], **run)

    def leaks(self):
        return self.program["truth"] in ("leak", "two")

    def heap(self, path):
        if path not in self.heaps:
            heap = self.heaps[path] = heap_reference.Heap(path)
            histograms = sorted(os.listdir(f"{self.series}/histograms"))
            if histograms:
                heap.correct_sizes(f"{self.series}/histograms/{histograms[-1]}")
            heap.find_dominators()
        return self.heaps[path]

    def source(self, kind):
        """What is asked, and the dump that has to agree."""
        dumps = sorted(f"{self.series}/{name}" for name in os.listdir(self.series) if name.endswith(".hprof"))
        if kind == "series":
            return self.series, dumps[-1]
        if kind == "rest":
            return dumps[-1], dumps[-1]
        if kind == "oom":
            return f"{self.folder}/oom.hprof", f"{self.folder}/oom.hprof"
        if kind == "histograms":
            return f"{self.series}/histograms", None
        return f"{self.folder}/agent.mct", None

    def check(self, kind):
        source, dump = self.source(kind)
        said = json.loads(self.memcity("why", source, "--json"))
        text = self.memcity("why", source).split("\n")[0]
        faults = list(self.faults_of(kind, said, text, dump))
        if kind in ("rest", "oom"):
            self.disagreements += [(kind, fault) for fault in self.disagree(said, dump)]
        self.sentences[kind] = text
        self.scores[kind] = not faults
        for fault in faults:
            self.wrong.append((kind, fault, text))

    def faults_of(self, kind, said, text, dump):
        program, causes = self.program, said["causes"]
        if not self.leaks():
            is_excused = re.search(EXCUSES, text)
            if kind != "rest" and causes and not is_excused:
                yield "healthy, but accused"
            elif re.search(ACCUSES, text) and not is_excused:
                yield "healthy, but accused in words"
        else:
            if kind not in ("rest", "oom") and said["verdict"] != "grows":
                yield f"it leaks, but the verdict is {said['verdict']}"
            if not re.search(program["content"], text) and not (kind == "agent" and re.search(r"com\.acme\.(?!record)", text)):
                yield f"does not name {program['content']}"
            if dump and not re.search(program["owner"], text):
                yield f"does not name {program['owner']}"
            if not dump and re.search(r"static field|thread \"", text):
                yield "names an owner that this file does not tell"
            if program["truth"] == "two" and kind == "series":
                for owner in program["owner"].split("|"):
                    if not any(re.search(owner, cause["sentence"]) for cause in causes):
                        yield f"no cause names {owner}"
        if re.search(r"\(several\)", text):
            yield "names no owner, but (several)"
        for never in filter(None, [NEVER, program["never"]]):
            found = re.search(never, text)
            if found:
                yield f"names {found.group(0)}"
        if dump:
            yield from self.ways_that_are_not(text, causes, dump)

    @staticmethod
    def fields_that_do_not_hold(text, causes, ways):
        """Fields that the first sentence names of which none leads to what it says piles up."""
        names = [word for word in re.findall(r"[A-Z][\w$]*(?:\[\])*|[a-z]+\[\]", text) if word in ways.by_simple]
        fields = list(chains.fields_of(text))
        if not causes or not names or not fields or "→" in text:
            return
        owner = causes[0].get("owner")
        called = [owner["content"]["class"]] if owner else ways.by_simple[names[0]]
        content = {node for name in called for node in ways.heap.by_class[name]}
        wanted = 0.5 * min(len(content), owner["content"]["objects"] if owner else causes[0]["growth_objects"])
        held = max(ways.is_below(ways.by_field(field), content) for field in fields)
        if held < wanted:
            yield f"{held} of {len(content)} {called[0]} are held by {' or '.join(fields)}"

    def disagree(self, said, dump):
        """What why, paths, roots and whatif say of one dump, against its objects."""
        def ask(command, *arguments):
            return json.loads(self.memcity(command, dump, *arguments, "--json"))

        heap = self.heap(dump)
        name = agreements.content_of(self.program, said, heap) if self.leaks() else "byte[]"
        if name:
            yield from agreements.Agreements(ask, heap).faults(self.program, said, name)

    def ways_that_are_not(self, text, causes, dump):
        """Ways that are said, but that the objects do not have."""
        heap = self.heap(dump)
        ways = chains.Ways(heap)
        said = [(words, None) for words in chains.hops_of(text)]
        for field in chains.fields_of(text):
            targets = ways.by_field(field)
            if not targets:
                yield f"there is no {field}"
        yield from self.fields_that_do_not_hold(text, causes, ways)
        places = chains.Places(ways)
        for cause in causes[:CAUSES]:
            if cause.get("owner"):
                yield from places.faults(cause["owner"])
            elif cause.get("root"):
                hops = [cause["root"]["text"]] + [hop["field"].removesuffix(" elements") for hop in cause["path"]]
                said.append((hops + [cause["key"].rpartition("#")[2]], cause["growth_objects"]))
        for words, objects in said:
            begin = ways.root(words[0])
            if begin is None:
                yield f"a way from nowhere: {' → '.join(words)}"
                continue
            if not begin:
                yield f"there is no {words[0]}"
                continue
            found, missing = ways.follow(begin, words[1:])
            if missing:
                yield f"no such way at {missing}: {' → '.join(words)}"
            elif objects and len(found) < 0.5 * objects:
                yield f"only {len(found)} of {objects} objects are held so: {' → '.join(words)}"


def run_one(options, program, jdk, version):
    if options.keep:
        folder = f"{options.keep}/{program['program']}-{version}"
        os.makedirs(folder, exist_ok=True)
    else:
        folder = tempfile.mkdtemp(prefix=f"{program['program']}-{version}-")
    recording = Recording(options, program, jdk, folder)
    recording.version = version
    kinds = [kind for kind in options.kinds if kind != "oom" or recording.leaks()]
    try:
        recording.record(kinds)
        for kind in kinds:
            try:
                recording.check(kind)
            except (RuntimeError, KeyError, OSError, ValueError, subprocess.TimeoutExpired) as error:
                recording.scores[kind] = False
                recording.wrong.append((kind, f"{type(error).__name__}: {error}", ""))
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        recording.wrong.append(("record", str(error), ""))
        recording.scores.update(dict.fromkeys(kinds, False))
    recording.heaps.clear()
    if not options.keep:
        shutil.rmtree(folder)
    return recording


def print_faults(r, is_all):
    for kind, fault, text in r.wrong:
        print(f"{r.program['program']}, JDK {r.version}, {kind}: {fault}\n    {text}")
    for kind, fault in r.disagreements:
        print(f"{r.program['program']}, JDK {r.version}, {kind}: {fault}")
    for kind, text in r.sentences.items() if is_all else ():
        print(f"{r.program['program']}, JDK {r.version}, {kind}{'' if r.scores[kind] else ' (WRONG)'}: {text}")
    sys.stdout.flush()


def print_table(recordings, kinds):
    width = max(len(r.program["program"]) for r in recordings)
    print(f"{'':{width}} jdk  " + "  ".join(f"{kind:10}" for kind in kinds))
    for r in recordings:
        marks = ("true" if r.scores.get(kind) else "-" if kind not in r.scores else "WRONG" for kind in kinds)
        print(f"{r.program['program']:{width}} {r.version:>3}  " + "  ".join(f"{mark:10}" for mark in marks))
    for what, of in (("leaks, first sentence wholly true", True), ("healthy, not accused", False)):
        cells = []
        for kind in kinds:
            scores = [r.scores[kind] for r in recordings if kind in r.scores and r.leaks() == of]
            cells.append(f"{sum(scores)} of {len(scores)}")
        print(f"{what}: " + ", ".join(f"{kind} {cell}" for kind, cell in zip(kinds, cells)))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("memcity")
    parser.add_argument("classes")
    parser.add_argument("--jdk", action="append")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--keep")
    parser.add_argument("--least", type=float, default=95)
    parser.add_argument("--accused", type=int, default=0)
    parser.add_argument("--disagreements", type=int, default=0)
    parser.add_argument("--sentences", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.kinds = [kind for kind in KINDS if kind in options.kinds.split(",")]
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    help_ = subprocess.run([options.memcity, "run", "--help"], capture_output=True, text=True, check=False).stdout
    options.agent_options = ["--gc", "250ms"] if "--gc" in help_ else []
    homes = options.jdk or [os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("java"))))]
    only = set(filter(None, options.only.split(",")))
    work = []
    for program in read_table():
        for home in homes:
            version = major(home)
            if version >= int(program["jdk"]) and (not only or program["program"] in only) and (not options.quick or program["quick"]):
                work.append((options, program, home, version))
    recordings = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for recording in pool.map(run_one, *zip(*work)):
            print_faults(recording, options.sentences)
            recordings.append(recording)
    print_table(recordings, options.kinds)
    scores = [score for r in recordings for score in r.scores.values() if r.leaks()]
    accused = sum(not score for r in recordings for score in r.scores.values() if not r.leaks())
    disagreements = sum(len(r.disagreements) for r in recordings)
    share = 100 * sum(scores) / max(1, len(scores))
    print(f"{sum(scores)} of {len(scores)} first sentences of leaks are wholly true ({share:.1f} %), {accused} healthy ones accused, "
          f"{disagreements} disagreements")
    # Of a few sentences an agent's one may be the chance of when it looked.
    missed_by_agent = sum(not r.scores["agent"] for r in recordings if r.leaks() and "agent" in r.scores)
    is_poor = share < options.least and sum(scores) < len(scores) - min(1, missed_by_agent)
    return is_poor or accused > options.accused or disagreements > options.disagreements


if __name__ == "__main__":
    sys.exit(main())
