"""Two programs, measured in turns: what compare.sh prints. A row's time is the least of its rounds' medians, since what else a
machine does only adds to it; `noise` is by how much the base differs from itself between rounds. A ratio means something
where it is further from 1 than that."""
import argparse, json, os, resource, subprocess, sys, tempfile, time

SUBJECTS = ("layout", "import", "update", "render", "play", "tree")
PICTURES = ("update", "render", "play", "tree")


def read_options():
    parser = argparse.ArgumentParser(prog="compare.sh")
    parser.add_argument("--leaves", default="300000,1000000")
    parser.add_argument("--size", default="1280x720,1920x1080")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--subjects", default=",".join(SUBJECTS) + ",program")
    parser.add_argument("--json")
    parser.add_argument("programs", nargs=2)
    parser.add_argument("names", nargs=2)
    options = parser.parse_args()
    if options.rounds < 1 or options.steps < 0:
        parser.error("--rounds is at least 1, --steps at least 0")
    return options


def run(command, may_lack=False):
    """Its output, wall time and CPU time in ms. `may_lack`: an earlier commit need not know the command; then no output."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end, after = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode == 2 and may_lack: return "", 0, 0
    if done.returncode != 0:
        sys.exit(f"compare.sh: {' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, 1000 * (end - begin), 1000 * cpu


def add(rows, name, version, value):
    rows.setdefault(name, ([], []))[version].append(value)


def bench(options, rows, version, subject, arguments, name):
    command = [options.programs[version], "bench", subject, "--json", *arguments]
    if options.runs: command += ["--runs", str(options.runs)]
    for line in run(command, may_lack=True)[0].splitlines():
        case = json.loads(line)
        measured = next((key for key in case if key.endswith("_ms")), None)  # what it is about comes first
        if not measured: continue
        add(rows, f"{case['case']} {name}", version, case[measured]["median"])
        for part in ("city_ms", "device_ms", "upload_ms", "draw_ms"):
            if measured == "total_ms" and part in case:
                add(rows, f"… {part[:-3]} {name}", version, case[part]["median"])


def bench_all(options, rows, version, folder):
    leaves, sizes = options.leaves.split(","), options.size.split(",")
    for i, count in enumerate(leaves):
        for subject in (subject for subject in SUBJECTS if subject in options.subjects.split(",")):
            for size in sizes[:None if i == 0 else 1] if subject in PICTURES else [None]:
                arguments = ["--leaves", count] + (["--size", size] if size else ["--dir", folder] if subject == "import" else [])
                bench(options, rows, version, subject, arguments, f"{int(count):,}" + (f" {size}" if size else ""))
    if options.steps == 0 or "program" not in options.subjects.split(","): return
    name = f"{int(leaves[0]):,} × {options.steps}"
    trace = os.path.join(folder, "trace.mct")
    bench(options, rows, version, "play", [trace, "--size", sizes[0]], f"of an .mct {name}")
    for what, arguments in (("program, from start to a PNG", ["render", trace, "--size", sizes[0], "-o", os.path.join(folder, "p.png")]),
                            ("program, info", ["info", trace])):
        for _ in range(options.runs or 5):
            _, wall, cpu = run([options.programs[version], *arguments])
            add(rows, f"{what}, {name}", version, wall)
            if "PNG" in what: add(rows, f"… its CPU time, {name}", version, cpu)


def write(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def show(name, base, head):
    least = max(min(base), 1e-6)
    noise = f"{max(base) / least:.2f}" if len(base) > 1 else "–"
    print(f"| {name} | {write(min(base))} | {write(min(head))} | {min(head) / least:.2f} | {noise} |")


def main():
    options = read_options()
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        if options.steps > 0 and "program" in options.subjects.split(","):
            run([options.programs[0], "bench", "generate", "--leaves", options.leaves.split(",")[0], "--steps",
                 str(options.steps), "--mct", os.path.join(folder, "trace.mct")])
        for _ in range(options.rounds):
            for version in (0, 1):
                bench_all(options, rows, version, folder)
    print(f"| ms | {options.names[0]} | {options.names[1]} | ratio | noise |\n| --- | ---: | ---: | ---: | ---: |")
    for name, (base, head) in rows.items():
        if base and head: show(name, base, head)
    lacking = [name for name, (base, head) in rows.items() if not base or not head]
    if lacking: print(f"\nOnly one of them has: {'; '.join(lacking)}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"base": options.names[0], "head": options.names[1], "rows": rows}, file, indent=1)


main()
