#!/usr/bin/env python3
"""What it costs a program when the agent times or counts its methods, and how far the times are off.

usage: agent_methods.py BUILD_FOLDER [--java HOME]… [--program NAME]… [--rounds N] [--only cost|times]

Times: a program that knows what each of its methods burns (tests/java/Burn.java), exact and by samples of both clocks: of each round
the method that is the furthest off, and the median of these.
Cost, programs: tiny calls, an H2 database under two threads, javac. Each round runs every program without the agent and then in
each mode; the median over the rounds of a mode's time by that of the run without in the same round is printed, of the
processor's time and of the clock's. The agent's stream is read by tests/agent/viewer.py, as by the real viewer.
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
MODES = [("wall", ""), ("cpu", ""), ("count", ""), ("exact", ""), ("exact", "trivial=1")]


def programs(work):
    classes = str(work)
    sources = [str(p) for p in (TOP / "tests/java").glob("*.java")] + [str(p) for p in (TOP / "bench/java").glob("*.java")]
    return {
        "tiny": ("", ["-cp", classes, "TinyCalls", "100"]),
        "h2": ("", ["-cp", classes + ":" + H2, "Database", "5000"]),
        "javac": ("include=com.sun.tools.javac.**", ["-cp", classes, "--add-modules", "jdk.compiler", "Compile", classes, "2"] + sources),
    }


def run(java, arguments, build, work, mode, options):
    path = str(work / "socket")
    option, viewer = [], None
    if mode:
        if os.path.exists(path):
            os.unlink(path)
        viewer = subprocess.Popen([sys.executable, TOP / "tests/agent/viewer.py", path, "none"], stdout=subprocess.PIPE, text=True)
        while not os.path.exists(path):
            time.sleep(0.01)
        option = [f"-agentpath:{build}/libmemcity-agent.so=socket={path};start={mode};{options}"]
    begin = time.monotonic()
    child = subprocess.Popen([java] + option + arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - begin
    assert status == 0, (arguments, mode, status)
    rate = 0
    if viewer:
        said = viewer.communicate()[0]
        rate = int(said.split("bytes ")[1]) / wall
    return usage.ru_utime + usage.ru_stime, wall, rate


def print_times(java, build, work, rounds):
    """A thread may lose the processor between the program's look at the clock and the agent's, so the machine is to be quiet."""
    for mode, options, arguments in (("exact", "", []), ("wall", "interval=5", ["wall"]), ("cpu", "interval=5", ["cpu"])):
        furthest = []
        for _ in range(rounds):
            path, said, told = work / "socket", work / "said", work / "told"
            path.unlink(missing_ok=True)
            with open(told, "w") as out:
                viewer = subprocess.Popen([sys.executable, TOP / "tests/agent/viewer.py", path, "none"], stdout=out)
                while not path.exists():
                    time.sleep(0.01)
                with open(said, "w") as out:
                    subprocess.check_call([java, f"-agentpath:{build}/libmemcity-agent.so=socket={path};start={mode};{options}",
                                           "-cp", str(work), "Burn"] + arguments, stdout=out)
                viewer.wait()
            rows = subprocess.check_output([sys.executable, TOP / "tests/agent/compare_times.py", said, told, "DISTANCE"], text=True)
            furthest.append(max((row.rsplit(" ", 4) for row in rows.splitlines()), key=lambda words: abs(float(words[3]))))
        furthest.sort(key=lambda words: abs(float(words[3])))
        name, ms, _, percent, _ = furthest[len(furthest) // 2]
        print(f"{java} times {mode}: {name} {ms} ms, {percent} %", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--java", action="append")
    parser.add_argument("--program", action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("cost", "times"))
    wished = parser.parse_args()
    build = pathlib.Path(wished.build).resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        subprocess.check_call(["javac", "-d", folder, TOP / "tests/java/Burn.java"] + [str(p) for p in (TOP / "bench/java").glob("*.java")])
        for home in wished.java or ["/usr"]:
            java = f"{home}/bin/java"
            if wished.only != "cost":
                print_times(java, build, work, wished.rounds)
            if wished.only == "times":
                continue
            for name, (patterns, arguments) in programs(work).items():
                if wished.program and name not in wished.program:
                    continue
                ratios = {}
                for _ in range(wished.rounds):
                    plain = run(java, arguments, build, work, None, "")
                    for mode, options in MODES:
                        some = run(java, arguments, build, work, mode, f"{options};{patterns}")
                        ratios.setdefault((mode, options), []).append((some[0] / plain[0], some[1] / plain[1], some[2]))
                for (mode, options), rows in ratios.items():
                    cpu, wall, rate = (statistics.median(column) for column in zip(*rows))
                    print(f"{home} {name} {mode} {options or '-'}: processor x{cpu:.2f}, clock x{wall:.2f}, {rate / 1000:.0f} kB/s", flush=True)


main()
