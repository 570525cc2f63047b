#!/usr/bin/env python3
"""How the cost grows with the work: memcity bench on generated traces of 1,000 leaves and ten times as many each time.
Writes growth.svg, with gnuplot, and every number to RESULTS/DATE-growth-COMMIT.json; prints a table.

usage: growth.py --memcity PATH [--commit TEXT] [--most N] [--runs N] [--data DIR] [--results DIR] [--chart FILE.svg]

Two steps a trace; 10 million leaves take 9 GB in DATA. --most: leaves of the largest one (10000000)."""
import argparse, datetime, json, math, os, re, shutil, subprocess, sys, tempfile

# What is measured: the subject of memcity bench, its case, the field; how the chart calls it.
SERIES = (
    ("import", "files to trace", "import_ms", "JSON to a trace"),
    ("import", "open .mct", "open_ms", "open an .mct"),
    ("layout", "city", "create_ms", "lay out the city"),
    ("play", "step to step", "step_ms", "step to step"),
    ("render", "orbit, opaque, edges", "frame_ms", "a frame"),
    ("render", "orbit, opaque, edges, half", "frame_ms", "a frame while the camera moves"),
)
STEPS = 2
COLORS = ("#b4571d", "#c79a1c", "#4c7a2a", "#1f78a8", "#6a4fa3", "#a8327d")


def read_options():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(prog="growth.py", usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--memcity", required=True)
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--most", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--data", default=tempfile.gettempdir())
    parser.add_argument("--results", default=os.path.join(here, "results"))
    parser.add_argument("--chart", default=os.path.join(here, "growth.svg"))
    options = parser.parse_args()
    if options.most < 10_000 or options.runs < 1:
        parser.error("--most is at least 10000, --runs at least 1")
    if not shutil.which("gnuplot"):
        parser.error("gnuplot is missing, which draws the chart")
    return options


def bench(options, subject, leaves, folder):
    """What `memcity bench` printed, a dictionary a line."""
    arguments = ["--leaves", str(leaves), "--steps", str(STEPS), "--runs", str(options.runs), "--json"]
    if subject == "import": arguments += ["--dir", folder]
    done = subprocess.run([options.memcity, "bench", subject, *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"growth.py: memcity bench {subject} of {leaves} leaves: exit code {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure(options):
    """The machine, and of each of SERIES the milliseconds by number of leaves."""
    machine, times = {}, [{} for _ in SERIES]
    leaves = 1000
    while leaves <= options.most:
        for subject in dict.fromkeys(series[0] for series in SERIES):
            with tempfile.TemporaryDirectory(dir=options.data) as folder:
                cases = bench(options, subject, leaves, folder)
            for case in cases:
                if case["bench"] == "machine": machine.update(case)
                for i, (of, name, field, _) in enumerate(SERIES):
                    if of == subject and case.get("case") == name: times[i][leaves] = case[field]["median"]
        print(f"| {leaves:,} | " + " | ".join(f"{row[leaves]:,.3g}" if row[leaves] < 100 else f"{row[leaves]:,.0f}"
                                              for row in times) + " |", flush=True)
        leaves *= 10
    return machine, times


def place_labels(ends, decades):
    """Where labels of these heights go, of as many powers of ten, so that none lies on another."""
    apart, order = 0.055 * decades, sorted(range(len(ends)), key=lambda i: ends[i])
    places = [math.log10(end) for end in ends]
    for _ in range(100):
        for low, high in zip(order, order[1:]):
            lacking = apart - (places[high] - places[low])
            if lacking > 0:
                places[low] -= lacking / 2
                places[high] += lacking / 2
    return [10 ** place for place in places]


def draw(options, machine, times):
    last = max(times[0])
    first, most = min(min(row.values()) for row in times), max(max(row.values()) for row in times)
    low, high = 10 ** math.floor(math.log10(first)), 10 ** math.ceil(math.log10(most))
    device = re.sub(r" \(.*", "", machine.get("device", ""))
    script = [
        "set encoding utf8",
        "set terminal svg size 960,520 font 'sans-serif,14' background '#ffffff'",
        f"set title 'Milliseconds by number of leaves: {machine['cores']} cores, {device}' tc rgb '#333333'",
        "set logscale xy",
        "set border 3 lc rgb '#888888'",
        "set tics nomirror tc rgb '#333333' scale 0.5,0",
        "set format y '%g'",
        "set xtics (" + ", ".join(f"'{leaves:,}' {leaves}" for leaves in sorted(times[0])) + ")",
        "set grid ytics xtics lc rgb '#e4e4e4' lt 1",
        "set rmargin 27",
        f"set xrange [1000:{last}]",
        f"set yrange [{low}:{high}]",
        "unset key",
    ]
    places = place_labels([row[last] for row in times], math.log10(high / low))
    for i, (series, place) in enumerate(zip(SERIES, places)):
        script.append(f"set label {i + 1} '{series[3]}' at {last},{place} left offset 1,0 tc rgb '{COLORS[i]}'")
    script.append("plot " + ", ".join(f"'-' with linespoints lw 2 pt 7 ps 0.5 lc rgb '{color}'"
                                      for color, _ in zip(COLORS, SERIES)))
    for row in times:
        script += [f"{leaves} {ms}" for leaves, ms in sorted(row.items())] + ["e"]
    done = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", stdout=subprocess.PIPE, text=True)
    if done.returncode != 0: sys.exit("growth.py: gnuplot failed")
    with open(options.chart, "w") as file:
        file.write(done.stdout)


def write_results(options, machine, times):
    day = datetime.date.today().isoformat()
    commit = re.sub(r"[^\w.-]", "_", options.commit)
    rows = [{"what": series[3], "unit": "ms", "by_leaves": row} for series, row in zip(SERIES, times)]
    os.makedirs(options.results, exist_ok=True)
    name = os.path.join(options.results, f"{day}-growth-{commit}.json")
    with open(name, "w") as file:
        json.dump({"run": {"date": day, "commit": options.commit, "steps": STEPS, "runs": options.runs, **machine},
                   "table": rows}, file, indent=1)
    print(f"all numbers: {os.path.relpath(name)}; the chart: {os.path.relpath(options.chart)}")


def main():
    options = read_options()
    print("| leaves | " + " | ".join(f"{series[3]}, ms" for series in SERIES) + " |")
    print("| ---: |" + " ---: |" * len(SERIES))
    machine, times = measure(options)
    draw(options, machine, times)
    write_results(options, machine, times)


main()
