#!/usr/bin/env bash
# A viewer that comes just before the program ends is told all of it.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
agent=$(dirname "$(realpath "$memcity")")/libmemcity-agent.so
[ -f "$agent" ] || { echo "built without the agent" >&2; exit 1; }
cat >"$work/Late.java" <<'JAVA'
public class Late {
    static Object[] kept = new Object[5000];

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < kept.length; i++) kept[i] = new byte[100];
        new java.io.File(arguments[0] + ".filled").createNewFile();
        while (!new java.io.File(arguments[0]).exists()) Thread.sleep(5);
    }
}
JAVA
javac -d "$classes" "$work/Late.java" || exit 1
timeout -s KILL 100 java -Xmx64m -XX:+UseSerialGC "-agentpath:$agent=socket=$work/socket;start=alloc;interval=0;depth=1" -cp "$classes" Late "$work/end" &
program=$!
eventually test -e "$work/end.filled"
python3 "$here/agent/viewer.py" "$work/socket" none >"$work/told" 2>"$work/viewer.err" &
viewer=$!
eventually test -S "$work/socket"
touch "$work/end"
wait $program || fail "the program: $?"
wait $viewer || fail "the viewer: $(tail -1 "$work/viewer.err")"
grep -q '^alloc Late\.main:5 5000 ' "$work/told" || fail "not all of it: $(grep Late "$work/told")"
finish
