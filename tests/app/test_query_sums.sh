#!/usr/bin/env bash
# The tables of memcity query say what the commands say of the same trace: recordings of small leaks, a library's, and a dump with
# all that can be computed of it.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity") http=$(realpath "$http")
here=$(realpath "$(dirname "$0")/..")
cd "$work" || exit 1
. "$here/hprof_pair.sh"
"$memcity" import made3.hprof made4.hprof --deep -o made.mct 2>err || fail "import: $(cat err)"
cat >sums.py <<'PYTHON'
import json
import subprocess
import sys

memcity, traces = sys.argv[1], sys.argv[2:]


def run(*words):
    done = subprocess.run([memcity, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.stderr}")
    return done.stdout


def told(*words):
    return json.loads(run(*words, "--json"))


def asked(trace, sql):
    return [tuple(row.values()) for row in json.loads(run("query", trace, "-n", "1000000", "--json", sql))]


def way(hops):
    return " → ".join(part for hop in hops for part in (hop["field"], hop["class"]) if part)


def owner_paths(why):
    step = why["last_step"]
    for cause in why["causes"]:
        path = (cause["owner"] or {}).get("path") or []
        for end in range(1, len(path) + 1):
            yield step, way(path[:end]), path[end - 1]["objects"], path[end - 1]["retained_bytes"]


def rows(values):
    return sorted(values, key=repr)


# Of a trace: what a command says, and the same in SQL.
TABLE = {
    "steps": (lambda t: [(s["bytes"], s["objects"]) for s in told("info", t)["steps"]],
              "SELECT bytes, objects FROM steps"),
    "leaves": (lambda t: [tuple(told("info", t)["steps"][-1][n] for n in ("bytes", "objects"))],
               "SELECT sum(bytes), sum(objects) FROM leaves"),
    "history": (lambda t: [(s["bytes"], s["objects"]) for s in told("info", t)["steps"]],
                "SELECT sum(bytes), sum(objects) FROM history WHERE is_leaf GROUP BY step"),
    "growth": (lambda t: [(r["key"], r["first"], r["last"], r["max"], r["growth"]) for r in told("top", t, "-n", "1000000")],
               "SELECT key, first, last, max, growth FROM growth WHERE metric = 'bytes'"),
    "growth in objects": (lambda t: [(r["key"], r["first"], r["last"], r["max"], r["growth"])
                                     for r in told("top", t, "-n", "1000000", "--metric", "objects")],
                          "SELECT key, first, last, max, growth FROM growth WHERE metric = 'objects'"),
    "findings": (lambda t: [(c["key"], c["growth_objects"], c["growth_bytes"], c["own_growth_bytes"], c["since_step"], c["retained_bytes"])
                            for c in told("why", t)["causes"]],
                 "SELECT key, growth_objects, growth_bytes, own_growth_bytes, since_step, retained_bytes FROM findings"),
    "verdict": (lambda t: [(told("why", t)["verdict"], told("why", t)["sentence"])], "SELECT verdict, sentence FROM verdict"),
    "units": (lambda t: [(u["count"], p["key"], p["objects"], p["bytes"]) for u in told("units", t, "-n", "1000000")["units"] for p in u["parts"]],
              "SELECT units, key, objects, bytes FROM units"),
    "roots": (lambda t: [(r["kind"], r["name"], r["leaf"], r["roots"]) for r in told("roots", t)["roots"]],
              "SELECT kind, name, key, roots FROM roots WHERE step = (SELECT max(step) FROM steps)"),
    "owners": (lambda t: list(owner_paths(told("why", t))), None),
}
# … and of each of its largest groups that it is known of.
OF_GROUP = {
    "refs from it": (lambda t, k: [(r["partner"], r["objects"], r["partner_objects"]) for r in told("refs", t, "--of", k, "--outgoing")["references"]],
                     "SELECT to_key, pointed_from, points_to FROM refs WHERE step = (SELECT max(step) FROM steps) AND from_key = '{}'"),
    "refs to it": (lambda t, k: [(r["partner"], r["objects"], r["partner_objects"]) for r in told("refs", t, "--of", k, "--incoming")["references"]],
                   "SELECT from_key, points_to, pointed_from FROM refs WHERE step = (SELECT max(step) FROM steps) AND to_key = '{}'"),
    "paths": (lambda t, k: [(p["class"] if p["parent"] is not None else None, p["field"], p["objects"], p["bytes"], p["own_objects"], p["own_bytes"])
                            for p in told("paths", t, "--of", k)["paths"]],
              "SELECT class, field, objects, bytes, own_objects, own_bytes FROM paths WHERE step = (SELECT max(step) FROM steps) AND key = '{}'"),
}

compared = dict.fromkeys([*TABLE, *OF_GROUP], 0)
wrong = 0


def compare(name, trace, one, other):
    global wrong
    compared[name] += len(one)
    one, other = rows(one), rows(other)
    if one == other:
        return
    wrong += 1
    differing = [row for row in one if row not in other][:3], [row for row in other if row not in one][:3]
    print(f"{trace}: {name}: {len(one)} rows, {len(other)} of the query: {differing}", file=sys.stderr)


for trace in traces:
    for name, (command, sql) in TABLE.items():
        if name == "owners":
            for step, path, objects, retained in command(trace):
                quoted = path.replace("'", "''")
                compare(name, trace, [(objects, retained)],
                        asked(trace, f"SELECT objects, retained_bytes FROM owners WHERE step = {step} AND path = '{quoted}'"))
            continue
        if name == "roots" and not asked(trace, "SELECT 1 FROM roots LIMIT 1"):
            continue
        compare(name, trace, command(trace), asked(trace, sql))
    keys = [key for (key,) in asked(trace, "SELECT key FROM leaves WHERE bytes > 0 ORDER BY bytes DESC LIMIT 3")]
    has_paths = asked(trace, "SELECT 1 FROM paths LIMIT 1")
    for key in keys:
        for name, (command, sql) in OF_GROUP.items():
            if name == "paths" and not has_paths:
                continue
            compare(name, trace, command(trace, key), asked(trace, sql.format(key.replace("'", "''"))))
for name, count in compared.items():
    if count == 0:
        wrong += 1
        print(f"{name}: nothing was compared", file=sys.stderr)
sys.exit(wrong > 0)
PYTHON
python3 sums.py "$memcity" "$here/../examples/web-app/before.mct" "$here/../examples/thread-locals/before.mct" "$http" made.mct || fail "other sums"
finish
