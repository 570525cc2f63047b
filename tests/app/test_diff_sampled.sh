#!/usr/bin/env bash
# Two recordings that were sampled: what one side alone saw in a few samples is no news; what it saw often is. Profiles and
# allocation sites, drawn from the same program with one group more and one less.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
memcity=$(realpath "$memcity")
cd "$work" || exit 1
python3 - <<'PY'
import collections, math, random
random.seed(7)
names = [f"com/acme/part{i % 30}/Class{i}.run{i * 7919 % 1000}_[j]" for i in range(600)]
weights = [1 / (i + 1) for i in range(600)]
def profile(path, count, extra, times):
    drawn = collections.Counter(random.choices(names, weights, k=count))
    drawn[extra] = times
    drawn[names[0]] += 5000
    with open(path, "w") as file:
        for name, number in sorted(drawn.items()):
            file.write(f"[main tid=1];com/acme/App.main_[j];{name} {number}\n")
profile("a.collapsed", 3000, "com/acme/old/Old.go_[j]", 60)
profile("b.collapsed", 9000, "com/acme/novel/Novel.come_[j]", 90)
# No sample too many, no stack too few: ten samples of a profile, one of which is what ten thousand have not.
with open("tiny.collapsed", "w") as file:
    file.write("[main tid=1];com/acme/Start.begin_[j] 9\n[main tid=1];com/acme/Other.end_[j] 1\n")

def poisson(mean):
    limit, product, count = math.exp(-mean), random.random(), 0
    while product > limit:
        product *= random.random()
        count += 1
    return count
interval = 524288
def sites(path, extra):
    with open(path, "w") as file:
        file.write("time\tType\tSite\tobjects\tbytes\tvariance[stock additive real]\n")
        for i in range(400):
            size, samples = 24 + 8 * (i % 9), poisson(30 / (i + 1))
            if samples:
                p = -math.expm1(-size / interval)
                file.write(f"1000\tType{i % 9}\tacme.Part{i}.make(Part.java:{i})\t{round(samples / p)}\t{round(samples * size / p)}\t{samples * (1 - p) / p ** 2 * size ** 2}\n")
        name, size, count, p = extra
        file.write(f"1000\tbyte[]\t{name}\t{round(count / p)}\t{round(count * size / p)}\t{count * (1 - p) / p ** 2 * size ** 2}\n")
small, large = 1 - math.exp(-64 / interval), 1 - math.exp(-30 * 1048576 / interval)
sites("a.tsv", ("acme.Old.keep(Old.java:1)", 64, 40, small))
sites("b.tsv", ("acme.Large.keep(Large.java:1)", 30 * 1048576, 1, large))  # one object, which could not be missed
PY

# told A B NEW GONE: those alone are news, many more are left out, and said so everywhere
told() {
  local a=$1 b=$2
  expect 0 diff "$a" "$b" --json; mv out diff.json
  expect 0 diff "$a" "$b"; mv out diff.txt
  expect 0 report "$a" --versus "$b" --no-pictures -o report.html
  printf 'wait idle\nprint new\nprint gone\n' >script
  expect 0 view "$a" --versus "$b" --script script --headless
  [ "$(tr '\n' ' ' <out)" = "1 1 " ] || fail "the window: $(tr '\n' ' ' <out)"
  python3 - "$3" "$4" <<'PY' 2>said || fail "$a, $b: $(tail -n 1 said)"
import json, re, sys
told = json.load(open("diff.json"))
for state, name in ("new", sys.argv[1]), ("gone", sys.argv[2]):
    groups = [group for group in told["groups"] if group["state"] == state and group["difference"] != 0]
    news = [group["key"] for group in groups if not group.get("by_chance")]
    assert len(news) == 1 and name in news[0], (state, news)
    assert told["by_chance"][state] == len(groups) - 1 > 10, (state, told["by_chance"])
sentence = re.search(r"^Chance may explain (\d+) new groups and (\d+) gone ones, .*$", open("diff.txt", encoding="utf-8").read(), re.M)
assert sentence and [int(sentence[1]), int(sentence[2])] == [told["by_chance"]["new"], told["by_chance"]["gone"]], open("diff.txt").read()[-300:]
assert sentence[0].replace(">", "&gt;") in open("report.html", encoding="utf-8").read()
PY
}
told a.collapsed b.collapsed Novel Old
told a.tsv b.tsv Large Old
# Who took few samples can't have seen what others saw in few; what was in most of them is news.
expect 0 diff a.collapsed tiny.collapsed --json
python3 - <<'PY' 2>said || fail "a tiny profile: $(tail -n 1 said)"
import json
told = json.load(open("out"))
news = [group["key"] for group in told["groups"] if group["state"] == "new" and not group.get("by_chance")]
assert news == ["Program#com#acme#Start#begin"], news
gone = [group["key"] for group in told["groups"] if group["state"] == "gone" and not group.get("by_chance")]
assert gone == ["Program#com#acme#part0#Class0#run0"], gone
PY
# Of what was counted, nothing is by chance.
expect 0 diff "$traces/httpclient-3.0.1" "$traces/javac-daemon" --json
grep -q by_chance out && fail "chance, of a heap"
finish
