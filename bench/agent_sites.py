#!/usr/bin/env python3
"""What it costs a program to have its allocation sites sampled, and how far the estimates are off.

usage: agent_sites.py BUILD_FOLDER [--java HOME]… [--rounds N] [--only cost|errors|matrix]

Cost: programs that allocate (an H2 database under two threads, javac), each round without the agent and then at 512 and 64 KiB; the
medians over the rounds of a run's processor time and clock time by those of the run without in the same round, and the stream.
Errors: a heap of 200 MB of known sites, its live bytes by samples against the truth, several runs each.
Matrix: sites and methods on each JDK and collector, once each: that they are recorded and what is alive of a known program is right.
The agent's stream is read by tests/agent/viewer.py, as by the real viewer.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
H2 = "/usr/share/java/h2.jar"
KNOWN = TOP / "tests/agent/known_sites.py"
INTERVALS = (512 << 10, 64 << 10)
COLLECTORS = ("UseG1GC", "UseParallelGC", "UseSerialGC", "UseZGC")
MODES = ("alloc;interval=4096;depth=2", "alloc;interval=0;depth=2", "exact;include=Known*", "count;trivial=1", "wall;interval=5", "cpu;interval=5")


def run(java, arguments, build, work, start):
    """Processor seconds, clock seconds, bytes a second of the stream, and what the viewer said."""
    path, option, viewer = str(work / "socket"), [], None
    if start:
        if os.path.exists(path):
            os.unlink(path)
        viewer = subprocess.Popen([sys.executable, TOP / "tests/agent/viewer.py", path, "none"], stdout=subprocess.PIPE, text=True)
        while not os.path.exists(path):
            time.sleep(0.01)
        option = [f"-agentpath:{build}/libmemcity-agent.so=socket={path};start={start}"]
    begin = time.monotonic()
    child = subprocess.Popen([java] + option + arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - begin
    assert status == 0, (arguments, start, status)
    said = viewer.communicate()[0] if viewer else ""
    rate = int(said.split("bytes ")[1].split()[0]) / wall if viewer else 0
    return usage.ru_utime + usage.ru_stime, wall, rate, said


def measure_cost(java, build, work, rounds):
    sources = [str(p) for folder in ("tests/java", "bench/java") for p in (TOP / folder).glob("*.java")]
    programs = {
        "h2": ["-cp", f"{work}:{H2}", "Database", "20000"],
        "javac": ["-cp", str(work), "--add-modules", "jdk.compiler", "Compile", str(work), "12"] + sources,
    }
    for name, arguments in programs.items():
        ratios = {interval: [] for interval in INTERVALS}
        for _ in range(rounds):
            plain = run(java, arguments, build, work, "")
            for interval in INTERVALS:
                some = run(java, arguments, build, work, f"alloc;interval={interval};depth=8")
                ratios[interval].append((some[0] / plain[0], some[1] / plain[1], some[2]))
            again = run(java, arguments, build, work, "")
            ratios.setdefault(0, []).append((again[0] / plain[0], again[1] / plain[1], 0))
        for interval, rows in ratios.items():
            cpu, wall, rate = (statistics.median(column) for column in zip(*rows))
            what = f"{interval >> 10} KiB" if interval else "without, again"
            print(f"{java} {name} {what}: processor x{cpu:.3f}, clock x{wall:.3f}, {rate / 1000:.0f} kB/s", flush=True)


def make_known(work, sites, size):
    subprocess.check_call([sys.executable, KNOWN, "write", work, str(sites), str(size)])
    subprocess.check_call(["javac", "-d", work, work / "Known.java"])


def check_known(work, said, sites, size):
    told = work / "told"
    told.write_text(said)
    words = subprocess.check_output([sys.executable, KNOWN, "check", told, str(sites), str(size)], text=True).split()
    return {name: float(value) for name, value in zip(words[::2], words[1::2])}


def measure_errors(java, build, work, rounds):
    for sites, size in ((12, 16_666_666), (60, 3_333_333)):
        make_known(work, sites, size)
        for interval in INTERVALS:
            found = []
            for _ in range(rounds):
                said = run(java, ["-Xmx1g", "-cp", str(work), "Known"], build, work, f"alloc;interval={interval};depth=2")[3]
                found.append(check_known(work, said, sites, size))
            means = {key: statistics.mean(row[key] for row in found) for key in found[0]}
            print(f"{java} {sites} sites of {size / 1e6:.1f} MB at {interval >> 10} KiB:",
                  ", ".join(f"{key} {value:.1f}" for key, value in means.items()), f"({rounds} runs)", flush=True)


def try_matrix(java, build, work):
    sites, size = 200, 200_000
    make_known(work, sites, size)
    for collector in COLLECTORS:
        for mode in MODES:
            _, _, _, said = run(java, [f"-XX:+{collector}", "-Xmx512m", "-cp", str(work), "Known"], build, work, mode)
            lost = [line for line in said.splitlines() if line.startswith("lost")]
            if mode.startswith("alloc"):
                found = check_known(work, said, sites, size)
                good = found["worst-error"] == 0 if "interval=0" in mode else found["coverage"] >= 85
            else:
                found, good = "", "Known." in said
            print(f"{java} {collector} {mode}: {'good' if good and not lost else 'BAD'} {found} {lost or ''}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--java", action="append")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("cost", "errors", "matrix"))
    wished = parser.parse_args()
    build = pathlib.Path(wished.build).resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        subprocess.check_call(["javac", "-d", folder] + [str(p) for p in (TOP / "bench/java").glob("*.java")])
        for home in wished.java or ["/usr"]:
            java = f"{home}/bin/java"
            if wished.only in (None, "cost"):
                measure_cost(java, build, work, wished.rounds)
            if wished.only in (None, "errors"):
                measure_errors(java, build, work, wished.rounds)
            if wished.only in (None, "matrix"):
                try_matrix(java, build, work)


main()
