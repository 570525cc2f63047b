#!/usr/bin/env bash
# Which steps of two traces are compared unless somebody says which: `diff`, the report, pictures and the window say the same, of
# a recorded pair and of made ones, of which one side, both or neither ends as at a shutdown, aligned however.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
memcity=$(realpath "$memcity")
traces=$(realpath "$traces")
cd "$work" || exit 1

# made NAME GROUP=BYTES,…: a folder a trace, a step a value
made() {
  python3 - "$@" <<'PY'
import json, pathlib, sys
name, *groups = sys.argv[1:]
columns = {group: [int(value) * 1024 for value in values.split(",")] for group, values in (text.split("=") for text in groups)}
pathlib.Path(name).mkdir()
for step in range(max(map(len, columns.values()))):
    def node(key, own, children):
        told = {"key": key, "name": own, "objects": sum(child["objects"] for child in children) or 1,
                "bytes": sum(child["bytes"] for child in children)}
        return {**told, "children": children}
    leaves = [{"key": f"Heap#shop#{group}", "name": group, "objects": 1, "bytes": values[step]}
              for group, values in columns.items() if values[step] > 0]
    root = node("Heap", "Heap", [node("Heap#shop", "shop", leaves)])
    pathlib.Path(name, f"{step}.json").write_text(json.dumps({"time": 1000 * (step + 1) + 37 * step * len(name), "root": root}))
PY
}
made stops Cache=10,20,30,40,2 Session=5,6,7,8,1 Old=4,4,4,4,0
made goes-on Cache=10,40,90 Session=5,5,5 Novel=1,2,3
made stops-later Cache=9,19,29,39,49,59,3,2 Session=5,5,5,5,5,5,1,1 Novel=0,0,0,0,1,2,0,0

# What all of them say of a pair, told by themselves.
cat >compare.py <<'PY'
import html, json, re, sys

told = json.load(open("diff.json"))
windows = [told[side]["window"] for side in ("before", "after")]
wanted = json.loads(sys.argv[1])
assert [window[1] for window in windows] == wanted, windows
kinds = {"Grew": 0, "Shrank": 0, "New": 0, "Gone": 0}
for group in told["groups"]:
    if group["difference"] != 0:
        kinds[{"new": "New", "gone": "Gone"}.get(group["state"], "Grew" if group["difference"] > 0 else "Shrank")] += 1
ends = told["ends"] and told["ends"].replace("BEFORE", "A").replace("AFTER", "B")
assert (ends is not None) == any(told[side]["left_out"] for side in ("before", "after")), told["ends"]
if len(sys.argv) > 2:
    assert ends == sys.argv[2], ends

text = open("diff.txt", encoding="utf-8").read()
assert (told["ends"] or "shutdown") in text or (not ends and "shutdown" not in text), text
sizes = re.findall(r"(?:before|after) +(\S+ \S+?)  ", text)[:2]
assert len(sizes) == 2, text

page = html.unescape(re.sub(r"<[^>]*>", "\n", open("report.html", encoding="utf-8").read()))
for side, size in enumerate(sizes):
    assert re.search(rf"\n{re.escape(size)}: \S+, step {wanted[side]} of 0–\d+,", page), (size, page[:900])
for heading, part, mark, marked in (("Grew", "Grew", "new", "New"), ("Shrank", "Shrank", "gone", "Gone")):
    # a part, or two where the library's own groups are told apart
    parts = re.findall(rf"\n{heading}(?: in the [^:\n]*)?: ([\d,]+) groups?(?:, ([\d,]+) {mark})?\n", page)
    counts = [sum(int(number.replace(",", "") or 0) for number in column) for column in zip(*parts)] or [0, 0]
    assert counts == [kinds[part] + kinds[marked], kinds[marked]], (heading, counts, kinds)
assert (ends in page) if ends else "shutdown" not in page

state = [json.loads(line) for line in open("state", encoding="utf-8")]
assert state == [wanted, kinds["Grew"], kinds["Shrank"], kinds["New"], kinds["Gone"], ends, state[-2], state[-1]], (state, kinds, ends)
window, step = state[-2:]
assert window[0] == 0 and window[1] == step, (window, step)
print(step)
PY

# agree A B ALIGN STEPS [SENTENCE]
agree() {
  local a=$1 b=$2 how=$3 step
  shift 3
  expect 0 diff "$a" "$b" --json; mv out diff.json
  expect 0 diff "$a" "$b" -n 2; mv out diff.txt
  expect 0 report "$a" --versus "$b" --align "$how" --no-pictures -o report.html
  printf 'wait idle\nprint pair_steps\nprint grew\nprint shrank\nprint new\nprint gone\nprint ends\nprint window\nprint step\n' >script
  expect 0 view "$a" --versus "$b" --align "$how" --script script --headless; mv out state
  step=$(python3 compare.py "$@" 2>said) || { fail "$a, $b, $how: $(tail -n 1 said | head -c 400)"; return; }
  [ "$how" = step ] || return
  # A picture of the step that the window shows is that which nobody chose a step for.
  expect 0 render "$a" --versus "$b" --size 480x270 --legend -o usual.png
  expect 0 render "$a" --versus "$b" --size 480x270 --legend --step "$step" -o shown.png
  cmp -s usual.png shown.png || fail "$a, $b: a picture of other steps"
}
recorded="A is compared at step 25, before most of the heap was freed, as at a shutdown; B has no such end and is compared at its last step, 25."
agree "$traces/httpclient-3.0.1" "$traces/javac-daemon" step '[25,25]' "$recorded"
agree stops goes-on step '[3,2]' "A is compared at step 3, before most of the heap was freed, as at a shutdown; B has no such end and is compared at its last step, 2."
agree goes-on stops step '[2,3]' "B is compared at step 3, before most of the heap was freed, as at a shutdown; A has no such end and is compared at its last step, 2."
agree stops stops-later step '[3,5]' "Both are compared before most of the heap was freed, as at a shutdown: A at step 3, B at step 5."
agree goes-on goes-on step '[2,2]'
for how in time end 1:2; do
  agree stops stops-later "$how" '[3,5]'
  agree goes-on stops "$how" '[2,3]'
done

# Whoever asks for steps behind it gets them, and what is compared then is said.
printf 'wait idle\nexpect step_count 8\nexpect pair_steps [3,5]\nwindow.all\nwait idle\nstep 7\nwait idle\nexpect pair_steps [4,7]\nexpect ends null\n' >script
expect 0 view stops --versus stops-later --script script --headless
expect 0 diff stops goes-on --base-window 0:4 --json; prints '"window":[0,4],"left_out":null'; prints '"ends":null'
expect 0 diff stops goes-on --at 4:2; grep -q shutdown out && fail "--at leaves nothing out"
expect 0 report stops --versus goes-on --no-pictures --window 0:4 -o report.html
grep -q 'step 4 of 0–4' report.html && ! grep -q shutdown report.html || fail "the report of all steps"
expect 0 report stops --versus goes-on --no-pictures --base-window 0:4 -o report.html
grep -q 'step 4 of 0–4' report.html && ! grep -q shutdown report.html || fail "the report of all steps of A"
expect 0 diff stops goes-on --window 0:1
prints "BEFORE is compared at step 3, before most of the heap was freed, as at a shutdown."
# An alignment that names a step behind it takes it in.
printf 'wait idle\nexpect pair_steps [4,2]\nexpect ends null\n' >script
expect 0 view stops --versus goes-on --align 4:2 --script script --headless
# Aligned otherwise, the same steps are beside each other; who has asked for the rest goes on with it.
printf 'wait idle\nalign end\nwait idle\nexpect pair_steps [3,2]\nexpect window [0,3]\nalign time\nwait idle\nexpect pair_steps [3,2]\nwindow.all\nwait idle
align step\nwait idle\nexpect window [0,4]\n' >script
expect 0 view stops --versus goes-on --script script --headless
finish
