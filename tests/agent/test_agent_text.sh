#!/usr/bin/env bash
# Whatever a program is called with, and whatever its threads, classes and methods are called: it is recorded.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
agent=$(dirname "$(realpath "$memcity")")/libmemcity-agent.so
[ -f "$agent" ] && [ -f "${agent%/*}/memcity-agent.jar" ] || { echo "built without the agent" >&2; exit 1; }
export LC_ALL=C.UTF-8
cat >"$work/Text.java" <<'JAVA'
public class Text {
    static Object[] kept = new Object[1000];

    static class Gr\u00f6\u00dfe {
        static Object \ud835\udc9c() {
            return new Gr\u00f6\u00dfe();
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (String name : new String[] {"a\0b", "\ud83d\ude00", "\ud800x", "\u00e4".repeat(300)}) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < kept.length; i++) kept[i] = Gr\u00f6\u00dfe.\ud835\udc9c();
            }, name);
            thread.start();
            thread.join();
        }
        Thread.sleep(200);
    }
}
JAVA
javac -encoding UTF-8 -d "$classes" "$work/Text.java" || exit 1
letters=$(printf 'ä%.0s' {1..300})
for home in $(jdks); do
  for locale in C.UTF-8 C; do
    # an argument that is cut within a letter wherever that is, one that is Latin-1, one that has four bytes a letter
    for shift in "" a; do
      rm -f "$work"/x.mct*
      LC_ALL=$locale run 0 "$memcity" run --sites=all -o "$work/x.mct" -- "$home/bin/java" -cp "$classes" Leak 0 "$shift$letters" $'caf\xe9' 😀
      says "recording process"
    done
  done
  rm -f "$work"/x.mct*
  expect 0 run --sites=all -o "$work/x.mct" -- "$home/bin/java" -cp "$classes" Text $'caf\xe9' 😀
  says 'Text caf\xe9 😀'
  expect 0 top "$work/x.mct" --group-by thread,type,site -n 50 --json
  for name in 'a?b' 😀 '?x' "$letters" 'Text$Größe' 𝒜; do prints "$name"; done
done

# ---- a message that is cut within a letter, of what the Java side says
for shift in "" a; do
  deep=$work/$shift${letters:0:100}/${letters:0:100}
  mkdir -p "$deep"
  cp "$agent" "$deep"
  rm -f "$work/socket"
  python3 "$here/agent/viewer.py" "$work/socket" exact >"$work/told" 2>"$work/viewer.err" &
  viewer=$!
  eventually test -S "$work/socket"
  run 0 java "-agentpath:$deep/${agent##*/}=socket=$work/socket" -cp "$classes" Leak 1
  wait $viewer || fail "the viewer: $(tail -1 "$work/viewer.err")"
  grep -q "^ack 0 can't load .*ää" "$work/told" || fail "no reason: $(cat "$work/told")"
done
finish
