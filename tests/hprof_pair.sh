# Two made heap dumps, made3.hprof and made4.hprof, the second a minute later; in the current folder. Sourced behind command.sh, with
# $here the folder of tests.
for seed in 3 4; do python3 "$here/hprof_maker.py" "made$seed.hprof" --seed $seed || exit 1; done
# Another time in the header: 8 bytes behind its text and the size of ids.
python3 - <<'PYTHON'
data = bytearray(open("made4.hprof", "rb").read())
at = data.index(0) + 5
time = int.from_bytes(data[at:at + 8], "big") + 60000
data[at:at + 8] = time.to_bytes(8, "big")
open("made4.hprof", "wb").write(data)
PYTHON
